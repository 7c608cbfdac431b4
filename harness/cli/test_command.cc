// `everycrash test`, `record` and `explore`: the ways from a workload to a trace or a verdict.
#include <fmt/format.h>
#include <unistd.h>

#include "harness/base/file.h"
#include "harness/campaign/workload.h"
#include "harness/campaign/workspace.h"
#include "harness/cli/commands.h"
#include "harness/cli/exploration.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/judge_plan.h"
#include "harness/cli/plan_of.h"
#include "harness/cli/preflight.h"
#include "harness/cli/sharding.h"
#include "harness/cli/terminal_progress.h"
#include "harness/disk/disk.h"
#include "harness/inject/fault_pipes.h"
#include "harness/inject/lost_syncs.h"

namespace everycrash::cli {
namespace {

/// The workload of a trace: the first program that it started.
std::vector<std::string> workload_of(const Trace& trace) {
  for (const Operation& record : trace.records()) {
    if (record.kind != Kind::kProcess) continue;
    std::vector<std::string> argv;
    std::string_view rest = record.payload;
    while (!rest.empty()) {
      const size_t end = std::min(rest.find('\0'), rest.size());
      argv.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (!argv.empty()) argv.front() = std::string(record.path);
    return argv;
  }
  return {};
}

/// Tells which syncs a run has lost, if it was to lose some.
void tell_lost_syncs(const TestOptions& options, const Trace& trace) {
  if (options.lose_fsync.empty()) return;
  fmt::print(stderr, "everycrash: {}\n", describe_lost_syncs(trace));
}

Result<Trace> open_marked(const std::filesystem::path& file, const TestOptions& options,
                          const Workload& workload) {
  Result<Trace> trace = Trace::open(file);
  if (!trace) return trace;
  const Result<reports::Judging> judging = judging_of(options, workload);
  if (!judging) return tl::unexpected(judging.error());
  const auto marked = mark_effects_of(judging->effects, *trace);
  if (!marked) return tl::unexpected(marked.error());
  return trace;
}

}  // namespace

Result<int> run_test(const TestOptions& options) {
  if (Status ok = check_values(options); !ok) return tl::unexpected(ok.error());
  const Result<CampaignPlan> plan = campaign_plan_of(options);
  if (!plan) return tl::unexpected(plan.error());
  Result<Workspace> workspace = Workspace::create();
  if (!workspace) return tl::unexpected(workspace.error());
  if (!options.on.empty()) {
    if (Status ok = try_disk(workspace->path()); !ok) return tl::unexpected(ok.error());
  }
  const Result<Workload> workload = prepare(plan->run, *workspace);
  if (!workload) return tl::unexpected(workload.error());
  const std::filesystem::path file = workspace->path() / "trace";
  const Result<reports::ColourChoice> colour = reports::parse_colour(options.color);
  if (!colour) return tl::unexpected(colour.error());
  reports::Terminal terminal(STDERR_FILENO, *colour);
  TerminalProgress progress(terminal, options.quiet);
  const Result<RecordOutcome> outcome =
      record_undisturbed(plan->run, *workload, file, *workspace, asked_to_stop(), progress);
  if (!outcome) return tl::unexpected(outcome.error());
  Result<Trace> trace = open_marked(file, options, *workload);
  if (!trace) return tl::unexpected(trace.error());
  if (!options.quiet) tell_lost_syncs(options, *trace);
  return explore(
      {options, *plan, *workload, *workspace, *trace, file, repeatable_command(own_arguments())});
}

Result<int> run_explore(const ExploreOptions& options) {
  if (Status ok = check_values(options.common); !ok) return tl::unexpected(ok.error());
  if (runs_anew(options.common)) {
    return fail(ErrorKind::kUsage,
                "explore: --crash again and concurrent run the program anew, which a trace cannot\n"
                "Use 'everycrash test' for them.");
  }
  const Result<CampaignPlan> plan = campaign_plan_of(options.common);
  if (!plan) return tl::unexpected(plan.error());
  Workload workload;
  const Result<Trace> trace = open_marked(options.trace, options.common, workload);
  if (!trace) return tl::unexpected(trace.error());
  if (Status ok = check_complete(*trace); !ok) return tl::unexpected(ok.error());
  Result<Workspace> workspace = Workspace::create();
  if (!workspace) return tl::unexpected(workspace.error());
  if (!options.common.on.empty()) {
    if (Status ok = try_disk(workspace->path()); !ok) return tl::unexpected(ok.error());
  }
  workload.argv = options.common.workload.empty() ? workload_of(*trace) : options.common.workload;
  workload.state_directory = std::string(trace->root());
  return explore({options.common, *plan, workload, *workspace, *trace, options.trace,
                  repeatable_command(own_arguments())});
}

Result<int> run_record(const RecordOptions& options) {
  const Result<RunPlan> plan = run_plan_of(options.common);
  if (!plan) return tl::unexpected(plan.error());
  Result<Workspace> workspace = Workspace::create();
  if (!workspace) return tl::unexpected(workspace.error());
  const Result<Workload> workload = prepare(*plan, *workspace);
  if (!workload) return tl::unexpected(workload.error());
  const Result<::everycrash::RecordOptions> recorder = recorder_options(
      *plan, *workload, std::filesystem::absolute(options.trace), *workspace, asked_to_stop());
  if (!recorder) return tl::unexpected(recorder.error());
  const FaultPipes pipes;
  const Result<RecordOutcome> outcome = record(*recorder);
  if (!outcome) return tl::unexpected(outcome.error());
  fmt::print("{}", read_file(outcome->stdout_file).value_or(""));
  fmt::print(stderr, "{}", read_file(outcome->stderr_file).value_or(""));
  if (interrupted()) return fail(ErrorKind::kInterrupted, "interrupted while recording");
  const Result<Trace> trace = Trace::open(options.trace);
  if (!trace) return tl::unexpected(trace.error());
  if (Status ok = check_complete(*trace); !ok) return tl::unexpected(ok.error());
  tell_lost_syncs(options.common, *trace);
  if (std::holds_alternative<TimedOut>(outcome->end)) {
    return harness_error(
        fmt::format("the workload did not end within {} and was killed", options.common.timeout));
  }
  // As the shell would see the workload itself.
  if (const auto* signaled = std::get_if<Signaled>(&outcome->end)) return 128 + signaled->signal;
  return std::get<Exited>(outcome->end).code;
}

}  // namespace everycrash::cli
