#include "harness/campaign/host_sink.h"

#include <fmt/format.h>

namespace everycrash {

FoundEffects mark_effects(const EffectRules& rules, Trace& trace, const SinkMemory* sink) {
  FoundEffects found = find_effects(trace, rules, sink != nullptr ? *sink : rules.new_sink());
  announce_effects(found, trace);
  return found;
}

Result<HostSink> start_host_sink(SinkOptions options) {
  const Result<int> socket = listen_on_loopback(options.port);
  if (!socket) return tl::unexpected(socket.error());
  return HostSink{options, std::make_unique<Sink>(*socket, options, nullptr)};
}

std::string url_of(const SinkOptions& options) {
  return fmt::format("http://127.0.0.1:{}", options.port);
}

}  // namespace everycrash
