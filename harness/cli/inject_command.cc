// `everycrash inject`: one real run with faults, and what it left.
#include <fmt/format.h>

#include "harness/base/quoting.h"
#include "harness/campaign/panel.h"
#include "harness/campaign/workload.h"
#include "harness/campaign/workspace.h"
#include "harness/cli/commands.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/judge_plan.h"
#include "harness/cli/plan_of.h"
#include "harness/cli/print_complaints.h"
#include "harness/inject/fault_pipes.h"
#include "harness/inject/live_kill.h"
#include "reports/text.h"

namespace everycrash::cli {
namespace {

/// Holds the checker against what a run left.
Result<int> judge_run(const TestOptions& options, const Workload& workload,
                      const Workspace& workspace, const std::filesystem::path& trace_file,
                      const KilledRun& run) {
  Result<Trace> trace = Trace::open(trace_file);
  if (!trace) return tl::unexpected(trace.error());
  Result<reports::Judging> judging = judging_of(options, workload);
  if (!judging) return tl::unexpected(judging.error());
  const auto marked = mark_effects_of(judging->effects, *trace);
  if (!marked) return tl::unexpected(marked.error());
  std::string events;
  for (const Operation& record : trace->records()) events += record.events;
  Result<JudgeOptions> judge = judge_options_of(*judging, workload.argv);
  if (!judge) return tl::unexpected(judge.error());
  const Result<Panel> panel = make_panel(*trace,
                                         {.judging = std::move(*judge),
                                          .recorded_path = workload.state_directory,
                                          .plain = options.plain,
                                          .host_sink = host_sink_of(workload),
                                          .check_undisturbed = false,
                                          .stop = asked_to_stop()},
                                         workspace);
  if (!panel) return tl::unexpected(panel.error());
  const Result<std::vector<Complaint>> complaints =
      panel->seats.front()->judge({.tree = &run.tree, .printed = run.printed, .events = events});
  if (!complaints) return tl::unexpected(complaints.error());
  return print_complaints(*complaints);
}

/// How often each fault was met.
void tell_faults(const TestOptions& options, const KilledRun& run) {
  const std::vector<std::string> faults = faults_of(options);
  for (size_t i = options.lose_fsync.size(); i < faults.size(); ++i) {
    const uint64_t matched = run.faults.matched[i];
    const std::string how = faults[i].starts_with("start()") ? "from the start of the run on"
                            : matched == 0 ? "met by none: the run makes no such call"
                                           : fmt::format("met by {} of {}", run.faults.fired[i],
                                                         reports::counted(matched, "call"));
    fmt::print("everycrash: {}: {}\n", printable(faults[i]), how);
  }
}

/// Tells how the run went. Fails where it did not come to the point that was asked for, or without
/// a fault that excuses it to a good end.
Status tell_run(const InjectOptions& options, const KilledRun& run) {
  fmt::print("{}", run.printed);
  if (!options.common.lose_fsync.empty()) fmt::print("everycrash: {}\n", run.lost);
  tell_faults(options.common, run);
  if (!options.kill_at.empty() && !run.reached) {
    return harness_error(
        fmt::format("the workload never came to {}: {}{}\n"
                    "'everycrash test -v' lists the crash points of a run.",
                    options.kill_at, describe(run.end), last_words(run.stderr_tail)));
  }
  if (run.reached) {
    fmt::print("everycrash: killed{}\n",
               options.kill_at.empty() ? "" : fmt::format(" at {}", options.kill_at));
    return {};
  }
  const auto* exited = std::get_if<Exited>(&run.end);
  if (exited != nullptr && exited->code == 0) return {};
  const std::string words = last_words(run.stderr_tail);
  if (!options.common.faults.empty()) {
    fmt::print("everycrash: the workload ended with {}{}\n", describe(run.end), words);
    return {};
  }
  return harness_error(
      fmt::format("the workload did not end well: {}{}", describe(run.end), words));
}

}  // namespace

Result<int> run_inject(const InjectOptions& options) {
  if (options.kill_at.empty() && faults_of(options.common).empty()) {
    return fail(ErrorKind::kUsage,
                "which fault? Give --kill-at POINT, --fault FAULT, --lose-fsync GLOB, or several.\n"
                "See 'everycrash inject --help'.");
  }
  Result<PointPattern> point = PointPattern{};
  if (!options.kill_at.empty()) point = parse_point(options.kill_at);
  if (!point) return tl::unexpected(point.error());
  const Result<RunPlan> plan = run_plan_of(options.common);
  if (!plan) return tl::unexpected(plan.error());
  Result<Workspace> workspace = Workspace::create();
  if (!workspace) return tl::unexpected(workspace.error());
  const Result<Workload> workload = prepare(*plan, *workspace);
  if (!workload) return tl::unexpected(workload.error());
  const std::filesystem::path file = workspace->path() / "trace";
  const Result<::everycrash::RecordOptions> recorder =
      recorder_options(*plan, *workload, file, *workspace, asked_to_stop());
  if (!recorder) return tl::unexpected(recorder.error());
  const FaultPipes pipes;
  const Result<KilledRun> run =
      options.kill_at.empty()
          ? run_to_end(*recorder)
          : run_and_kill(*recorder, *point, {},
                         options.common.check.empty() ? Wanted::kState : Wanted::kTrace);
  if (!run) return tl::unexpected(run.error());
  if (interrupted()) return fail(ErrorKind::kInterrupted, "interrupted");
  if (Status ok = tell_run(options, *run); !ok) return tl::unexpected(ok.error());
  if (!options.keep.empty()) {
    std::error_code error;
    std::filesystem::create_directories(options.keep, error);
    TreeOnDisk kept(options.keep);
    if (Status ok = kept.become(run->tree); !ok) return tl::unexpected(ok.error());
    fmt::print("everycrash: what was left is in {}\n", options.keep.string());
  }
  if (options.common.check.empty()) return 0;
  return judge_run(options.common, *workload, *workspace, file, *run);
}

}  // namespace everycrash::cli
