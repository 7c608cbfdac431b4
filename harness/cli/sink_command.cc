// `everycrash sink`: a receiver for tests.
#include <fmt/format.h>
#include <poll.h>

#include <cerrno>
#include <cstdio>
#include <fstream>

#include "harness/cli/commands.h"
#include "harness/cli/interrupt.h"
#include "harness/effects/sink.h"
#include "harness/trace/event.h"

namespace everycrash::cli {
namespace {

/// What an earlier sink with the same log had done.
SinkMemory read_log(const std::filesystem::path& file, const SinkOptions& options) {
  SinkMemory memory(options);
  std::ifstream log(file);
  for (std::string line; std::getline(log, line);) {
    if (line.starts_with("effect ")) memory.know(line);
  }
  return memory;
}

/// Waits for an interrupt.
void wait() {
  pollfd interrupt = {asked_to_stop().descriptor, POLLIN, 0};
  while (poll(&interrupt, 1, -1) < 0 && errno == EINTR) {
  }
}

}  // namespace

Result<int> run_sink(const SinkCommandOptions& options) {
  Result<SinkOptions> sink_options = parse_sink(options.behaviour);
  if (!sink_options) return tl::unexpected(sink_options.error());
  std::ofstream log;
  SinkMemory memory(*sink_options);
  if (!options.log.empty()) {
    memory = read_log(options.log, *sink_options);
    log.open(options.log, std::ios::app);
    if (!log) return fail(ErrorKind::kUsage, fmt::format("cannot write {}", options.log.string()));
  }
  const Result<int> socket = listen_on_loopback(sink_options->port);
  if (!socket) return tl::unexpected(socket.error());
  Sink sink(*socket, *sink_options, [&log](const std::string& line) {
    fmt::print("{}\n", line);
    std::fflush(stdout);
    if (log.is_open()) log << line << std::endl;
  });
  sink.become(std::move(memory));
  fmt::print("everycrash: sink at http://127.0.0.1:{}; Ctrl-C ends it\n", sink_options->port);
  std::fflush(stdout);
  wait();
  return 0;
}

}  // namespace everycrash::cli
