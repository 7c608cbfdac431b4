#include "harness/cli/replay_fault.h"

#include <fmt/format.h>

#include "harness/base/crash_kind.h"
#include "harness/campaign/fault_places.h"
#include "harness/campaign/host_sink.h"
#include "harness/campaign/panel.h"
#include "harness/campaign/workload.h"
#include "harness/check/run/materialise.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/judge_plan.h"
#include "harness/cli/print_complaints.h"
#include "harness/inject/fault_pipes.h"
#include "harness/inject/fault_text.h"

namespace everycrash::cli {
namespace {

/// The sweep of one fault, as the finding names it.
Result<std::vector<SweptFault>> sweep_of_one(const reports::Finding& finding) {
  Result<faults::Fault> fault = read_fault(finding.point);
  if (!fault) return tl::unexpected(fault.error());
  return std::vector<SweptFault>{{finding.sequence, *fault, finding.point}};
}

Status keep_tree(const std::filesystem::path& folder, const FileSystem& tree) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  TreeOnDisk kept(folder);
  if (Status ok = kept.become(tree); !ok) return ok;
  fmt::print("what the run left is in {}\n", folder.string());
  return {};
}

}  // namespace

bool is_about_a_fault(const reports::Finding& finding) {
  return finding.crash == CrashKind::kIoError;
}

Result<int> replay_fault(const ReplayOptions& options, const reports::ResultDocument& document,
                         const reports::Finding& finding, const Trace& trace,
                         const Workspace& workspace) {
  if (options.shell || options.gdb) {
    return fail(ErrorKind::kUsage,
                "a run with a failing call is over when its end is judged; see what it left with "
                "--keep FOLDER, or debug it with: everycrash inject --fault ... -- gdb ...");
  }
  const Result<std::vector<SweptFault>> sweep = sweep_of_one(finding);
  if (!sweep) return tl::unexpected(sweep.error());
  RunPlan plan{.seed = document.seed};
  Workload workload{.argv = document.workload, .state_directory = document.state_directory};
  Result<JudgeOptions> judge = judge_options_of(document.judging, document.workload);
  if (!judge) return tl::unexpected(judge.error());
  if (judge->effects.sink) {
    Result<HostSink> sink = start_host_sink(*judge->effects.sink);
    if (!sink) return tl::unexpected(sink.error());
    workload.sink = std::make_shared<HostSink>(std::move(*sink));
  }
  const Result<Panel> panel = make_panel(trace,
                                         {.judging = std::move(*judge),
                                          .recorded_path = document.state_directory,
                                          .host_sink = host_sink_of(workload),
                                          .check_undisturbed = false,
                                          .stop = asked_to_stop()},
                                         workspace);
  if (!panel) return tl::unexpected(panel.error());
  const FaultPipes pipes;
  Result<FaultPlaces> made = make_fault_places({.run = plan,
                                                .workload = workload,
                                                .trace = trace,
                                                .judged_by = *panel->grounds,
                                                .workspace = workspace,
                                                .stop = asked_to_stop()});
  if (!made) return tl::unexpected(made.error());
  limit_restarts(panel->grounds->selection.judges, made->grounds);
  const std::vector<uint32_t> chosen = {0};
  FaultMaker maker(std::move(made->places.front()), *sweep, chosen, made->grounds);
  const Result<StateView> view = maker.make(0);
  if (!view) return tl::unexpected(view.error());
  fmt::print("{}", maker.run().printed);
  fmt::print("the run met {} and ended with {}{}\n", finding.point,
             maker.run().endless ? "no end in sight" : describe(maker.run().end),
             last_words(maker.run().stderr_tail));
  if (!view->unavailable.empty()) {
    fmt::print("not measured: {}\n", view->unavailable);
    return 0;
  }
  if (!options.keep.empty()) {
    if (Status ok = keep_tree(options.keep, maker.run().tree); !ok)
      return tl::unexpected(ok.error());
  }
  FaultedJudgement judgement(*panel->seats.front(), maker, made->grounds);
  const Result<std::vector<Complaint>> complaints = judgement.judge(*view);
  if (!complaints) return tl::unexpected(complaints.error());
  return print_complaints(*complaints);
}

}  // namespace everycrash::cli
