#include "harness/record/recorder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <utility>

#include "harness/record/installed_files.h"
#include "harness/record/program_check.h"
#include "harness/record/recorder_run.h"
#include "harness/record/stop_watch.h"
#include "harness/trace/trace_writer.h"

namespace everycrash {

namespace recording {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds kTermGrace{2'000};
constexpr size_t kTailSize = 4096;

bool is_interrupted(const RecordOptions& options) {
  return options.interrupted != nullptr && *options.interrupted;
}

bool may_be_killed(const RecordOptions& options) {
  return options.stop || options.faults.find(" kill-") != std::string::npos;
}

// Until the container has ended: moves output, watches for the stop point and the time limit. STOP
// may be null.
void watch(Run& run, ChildProcess& container, const format::FileHeader& header,
           const StopWatch* stop) {
  const auto start = Clock::now();
  enum { kRunning, kAskedToEnd, kKilled } stage = kRunning;
  bool more_output = true;
  bool more_report = true;
  const uint64_t records_max = run.options.records_max;
  const int step_ms = records_max != 0 ? 10 : 100;
  for (;;) {
    const bool stops = stop != nullptr && stage != kKilled;
    pollfd wanted[] = {{more_output ? run.output.read_end.get() : -1, POLLIN, 0},
                       {more_report ? run.report.read_end.get() : -1, POLLIN, 0},
                       {container.descriptor(), POLLIN, 0},
                       {stops ? stop->descriptor() : -1, POLLIN, 0}};
    poll(wanted, std::size(wanted), step_ms);
    if (wanted[0].revents != 0) more_output = drain_output(run);
    if (wanted[1].revents != 0) more_report = drain_report(run);
    if (wanted[2].revents != 0) break;
    const bool reached = __atomic_load_n(&header.plan.reached, __ATOMIC_ACQUIRE) != 0;
    const auto elapsed = Clock::now() - start;
    if (is_interrupted(run.options) && stage != kKilled) {
      container.signal(SIGTERM);
      stage = kKilled;
      continue;
    }
    if (records_max != 0 && header.next_sequence > records_max + 1 && stage != kKilled) {
      container.signal(SIGTERM);
      stage = kKilled;
    } else if (reached && stage != kKilled) {
      run.outcome.reached_point = true;
      container.signal(SIGTERM);
      stage = kKilled;
    } else if (stage == kRunning && elapsed > run.options.timeout) {
      container.signal(SIGUSR1);
      stage = kAskedToEnd;
    } else if (stage == kAskedToEnd && elapsed > run.options.timeout + kTermGrace) {
      container.signal(SIGTERM);
      stage = kKilled;
    }
  }
  drain_output(run);
  drain_report(run);
  run.outcome.overran = records_max != 0 && header.next_sequence > records_max + 1;
  const bool in_time = stage == kRunning || run.outcome.reached_point;
  if (!in_time) run.report_text.clear();  // whatever it says: the run ended by its limit
}

std::string tail_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  const auto size = static_cast<size_t>(std::max<std::streamoff>(stream.tellg(), 0));
  std::string tail(std::min(size, kTailSize), '\0');
  stream.seekg(static_cast<std::streamoff>(size - tail.size()));
  stream.read(tail.data(), static_cast<std::streamsize>(tail.size()));
  return tail;
}

Result<RecordOutcome> record_run(const RecordOptions& options) {
  EVERYCRASH_ASSERT(!options.command.empty());
  std::error_code missing;
  Run run{options, fs::canonical(options.state_directory, missing), {}, {}, {}, {}, {}, {}, {}};
  if (missing) {
    return fail(ErrorKind::kUsage,
                fmt::format("the state directory {} cannot be used: {}",
                            options.state_directory.string(), missing.message()));
  }
  if (const auto program = find_recordable_program(options.command[0], run.root); !program) {
    return tl::unexpected(program.error());
  }
  if (Status ok = open_files(run); !ok) return tl::unexpected(ok.error());
  Result<TraceWriter> trace = make_trace(run);
  if (!trace) return tl::unexpected(trace.error());
  if (options.before_start) options.before_start();
  Result<ChildProcess> container = start_workload(run);
  if (!container) return tl::unexpected(container.error());
  std::unique_ptr<StopWatch> stop;
  if (may_be_killed(options)) {
    Result<std::unique_ptr<StopWatch>> started = StopWatch::create(&trace->header().plan.reached);
    if (!started) return tl::unexpected(started.error());
    stop = std::move(*started);
  }
  watch(run, *container, trace->header(), stop.get());
  stop.reset();
  container->wait(kTermGrace);
  if (is_interrupted(options)) return fail(ErrorKind::kInterrupted, "interrupted");
  if (Status ok = read_report(run); !ok) return tl::unexpected(ok.error());
  if (Status ok = trace->seal(); !ok) return tl::unexpected(ok.error());
  run.outcome.stderr_tail = tail_of(run.outcome.stderr_file);
  return std::move(run.outcome);
}

}  // namespace recording

Result<RecordOutcome> record(const RecordOptions& options) {
  return recording::record_run(options);
}

}  // namespace everycrash
