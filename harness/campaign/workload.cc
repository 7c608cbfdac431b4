#include "harness/campaign/workload.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>

#include "harness/base/quoting.h"
#include "harness/campaign/host_sink.h"
#include "harness/campaign/workspace.h"
#include "harness/check/whole_trace.h"
#include "harness/inject/fault_pipes.h"
#include "harness/inject/fault_text.h"
#include "harness/record/unsupported.h"
#include "harness/trace/trace.h"

namespace everycrash {
namespace {

/// Arguments that name files where the user stands; the workload, which runs elsewhere, does not
/// see them.
std::string hint_on_paths(const std::vector<std::string>& argv, const std::filesystem::path& base) {
  std::vector<std::string> found;
  for (size_t i = 1; i < argv.size(); ++i) {
    std::error_code error;
    if (argv[i].empty() || argv[i].front() == '/' || argv[i].front() == '-') continue;
    if (std::filesystem::exists(base / argv[i], error)) found.push_back(argv[i]);
  }
  if (found.empty()) return "";
  return fmt::format(
      "\nIt runs in the state directory, where {} is not: give the whole path, or copy it "
      "there with --init.",
      fmt::join(found, ", "));
}

/// "60s", "250ms": as --timeout takes it.
std::string duration_text(std::chrono::milliseconds time) {
  return time.count() % 1000 == 0 ? fmt::format("{}s", time.count() / 1000)
                                  : fmt::format("{}ms", time.count());
}

Status check_end(const RunPlan& plan, const Workload& workload, const RecordOutcome& outcome,
                 Stop stop) {
  if (stop()) return fail(ErrorKind::kInterrupted, "interrupted while recording");
  const std::string tail = last_words(outcome.stderr_tail);
  if (std::holds_alternative<TimedOut>(outcome.end)) {
    return harness_error(
        fmt::format("the workload did not end within {} and was killed{}\n"
                    "Give it work that ends, or more time (--timeout).",
                    duration_text(plan.timeout), tail));
  }
  const auto* exited = std::get_if<Exited>(&outcome.end);
  if (exited == nullptr || exited->code != 0) {
    return harness_error(fmt::format("the workload fails without any crash: {}{}{}",
                                     describe(outcome.end), tail,
                                     hint_on_paths(workload.argv, plan.base)));
  }
  if (outcome.leftover_processes > 0) {
    return harness_error(fmt::format(
        "the workload ended but left {} process{} running, which had to be killed\n"
        "A daemon is tested in the foreground: give it the option for that, and make it end.",
        outcome.leftover_processes, outcome.leftover_processes == 1 ? "" : "es"));
  }
  return {};
}

}  // namespace

std::string last_words(const std::string& text) {
  if (text.empty()) return "";
  std::string out = "\nIts last words on standard error:\n";
  size_t start = text.size();
  for (int lines = 0; start > 0 && lines < 11;) {
    if (text[--start] == '\n') ++lines;
  }
  if (start > 0) ++start;
  size_t at = start;
  while (at < text.size()) {
    const size_t end = std::min(text.find('\n', at), text.size());
    out += "  | " + printable(text.substr(at, end - at)) + "\n";
    at = end + 1;
  }
  out.pop_back();
  return out;
}

Sink* host_sink_of(const Workload& workload) {
  return workload.sink ? workload.sink->sink.get() : nullptr;
}

std::string executable_of(const Command& command) {
  for (const std::string& path : program_candidates(command.argv.front(), command.environment)) {
    if (access(path.c_str(), X_OK) == 0) return path;
  }
  return command.argv.front();
}

Status run_init(const RunPlan& plan, const std::filesystem::path& directory) {
  if (plan.init.empty()) return {};
  ChildOptions child;
  child.command = plan.init.argv;
  child.command.front() = executable_of(plan.init);
  child.working_directory = directory;
  child.environment["EVERYCRASH_DIR"] = directory.string();
  child.standard_output = 2;
  child.standard_error = 2;
  Result<ChildProcess> process = ChildProcess::start(child);
  if (!process) {
    return fail(ErrorKind::kUsage,
                fmt::format("--init cannot be started: {}", process.error().message));
  }
  const ProcessEnd end = process->wait(plan.timeout);
  const auto* exited = std::get_if<Exited>(&end);
  if (exited != nullptr && exited->code == 0) return {};
  return harness_error(fmt::format("--init failed: {} ({})", plan.init_text, describe(end)));
}

Result<Workload> prepare(const RunPlan& plan, const Workspace& workspace) {
  if (plan.argv.empty()) {
    return fail(ErrorKind::kUsage,
                "no workload: write it behind --, as in 'everycrash test -- ./app', "
                "or name it in everycrash.toml");
  }
  Workload workload;
  workload.argv = with_absolute_programs(plan.argv, plan.base);
  if (plan.directory.empty()) {
    workload.state_directory = workspace.path() / "state";
    workload.owned = true;
    std::filesystem::create_directory(workload.state_directory);
  } else {
    std::error_code error;
    workload.state_directory = std::filesystem::canonical(plan.directory, error);
    if (!error && !std::filesystem::is_directory(workload.state_directory)) {
      return fail(ErrorKind::kUsage,
                  fmt::format("--dir {}: not a folder", plan.directory.string()));
    }
    if (error) {
      return fail(ErrorKind::kUsage, fmt::format("--dir {}: there is no such folder; make it first",
                                                 plan.directory.string()));
    }
  }
  if (plan.sink) {
    Result<HostSink> sink = start_host_sink(*plan.sink);
    if (!sink) return tl::unexpected(sink.error());
    workload.sink = std::make_shared<HostSink>(std::move(*sink));
  }
  if (Status ok = run_init(plan, workload.state_directory); !ok) return tl::unexpected(ok.error());
  // Its own folder may have got it from --init.
  const std::string& program = workload.argv.front();
  std::error_code error;
  if (program.find('/') != std::string::npos && program.front() != '/' &&
      !std::filesystem::exists(workload.state_directory / program, error)) {
    return fail(ErrorKind::kUsage,
                fmt::format("{}: there is no such program in {}", program, plan.base.string()));
  }
  return workload;
}

Result<RecordOptions> recorder_options(const RunPlan& plan, const Workload& workload,
                                       const std::filesystem::path& trace,
                                       const Workspace& workspace, Stop stop) {
  RecordOptions record;
  record.command = workload.argv;
  record.state_directory = workload.state_directory;
  record.trace_file = trace;
  record.work_directory = workspace.path() / "run";
  std::filesystem::create_directories(record.work_directory);
  record.timeout = plan.timeout;
  record.interrupted = stop.requested;
  record.trace_capacity = plan.trace_capacity;
  Result<std::string> faults = plan_of(plan.faults, plan.seed);
  if (!faults) return tl::unexpected(faults.error());
  record.faults = std::move(*faults);
  if (workload.sink) {
    record.environment["EVERYCRASH_SINK"] = url_of(workload.sink->options);
    record.before_start = [sink = workload.sink] { sink->sink->become(SinkMemory(sink->options)); };
  }
  return record;
}

Result<RecordOutcome> record_undisturbed(const RunPlan& plan, const Workload& workload,
                                         const std::filesystem::path& trace,
                                         const Workspace& workspace, Stop stop,
                                         Progress& progress) {
  const Result<RecordOptions> record_options =
      recorder_options(plan, workload, trace, workspace, stop);
  if (!record_options) return tl::unexpected(record_options.error());
  const FaultPipes pipes;
  progress.recording(workload.argv.front());
  Result<RecordOutcome> outcome = record(*record_options);
  if (!outcome) return outcome;
  // What could not be recorded often is the reason why the workload failed, so it is said first.
  const Result<Trace> written = Trace::open(trace);
  if (!written) return tl::unexpected(written.error());
  if (Status ok = check_complete(*written); !ok) return tl::unexpected(ok.error());
  if (Status ok = check_end(plan, workload, *outcome, stop); !ok) {
    for (const Operation& operation : written->records()) {
      if (operation.kind != Kind::kUnsupported) continue;
      return harness_error(ok.error().message + "\n" + explain_unsupported(operation));
    }
    return tl::unexpected(ok.error());
  }
  if (Status ok = check_against_disk(*written, workload.state_directory); !ok) {
    return tl::unexpected(ok.error());
  }
  return outcome;
}

Status check_against_disk(const Trace& trace, const std::filesystem::path& directory) {
  if (!std::filesystem::exists(directory)) return {};  // the workload removed it: recorded calls
  const Result<std::string> changes = find_unrecorded_changes(trace, directory);
  if (!changes) return tl::unexpected(changes.error());
  if (changes->empty()) return {};
  return harness_error(
      fmt::format("the state directory is not as the recorded calls left it: {}\n"
                  "Something changed it in a way that cannot be recorded: a shared mapping of a "
                  "process that was killed, a file reached by a name outside, another program.",
                  *changes));
}

Status check_complete(const Trace& trace) {
  const std::string missing = find_missing_calls(trace);
  if (missing.empty()) return {};
  if (trace.full() == 0) return harness_error(missing);
  return harness_error(missing +
                       "\nMake room on its file system, allow a larger one (--trace-size), or set "
                       "EVERYCRASH_WORK to a folder with more room.");
}

}  // namespace everycrash
