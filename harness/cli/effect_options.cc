#include "harness/cli/effect_options.h"

#include <fmt/format.h>

#include <utility>

namespace everycrash::cli {

Result<EffectRules> effect_rules(const reports::EffectJudging& effects) {
  EffectRules rules{
      .commands = effects.commands, .folders = effects.folders, .peers = effects.peers};
  if (effects.sink.empty()) return rules;
  const Result<SinkOptions> sink = parse_sink(effects.sink);
  if (!sink) return tl::unexpected(sink.error());
  if (sink->port == 0) {
    return fail(ErrorKind::kUsage,
                "--sink 0: a recorded run has talked to one port; name that, as it was printed");
  }
  rules.sink = *sink;
  return rules;
}

FoundEffects mark_effects(const EffectRules& rules, Trace& trace, const SinkMemory* sink) {
  FoundEffects found = find_effects(trace, rules, sink != nullptr ? *sink : rules.new_sink());
  announce_effects(found, trace);
  return found;
}

Result<FoundEffects> mark_effects(const reports::EffectJudging& effects, Trace& trace) {
  const Result<EffectRules> rules = effect_rules(effects);
  if (!rules) return tl::unexpected(rules.error());
  return mark_effects(*rules, trace);
}

Result<HostSink> start_host_sink(const std::string& text) {
  Result<SinkOptions> options = parse_sink(text);
  if (!options) return tl::unexpected(options.error());
  const Result<int> socket = listen_on_loopback(options->port);
  if (!socket) return tl::unexpected(socket.error());
  return HostSink{*options, std::make_unique<Sink>(*socket, *options, nullptr)};
}

std::string url_of(const SinkOptions& options) {
  return fmt::format("http://127.0.0.1:{}", options.port);
}

}  // namespace everycrash::cli
