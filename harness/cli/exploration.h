// From a trace to a verdict: all crash states, judged, explained, reported.
#pragma once

#include <filesystem>
#include <string>

#include "harness/base/error.h"
#include "harness/campaign/plan.h"
#include "harness/campaign/workload.h"
#include "harness/campaign/workspace.h"
#include "harness/cli/options/options.h"
#include "harness/trace/trace.h"
#include "reports/merge.h"

namespace everycrash::cli {

/// What an exploration starts from; everything in it must outlive the call.
struct Exploration {
  const TestOptions& options;
  const CampaignPlan& plan;  ///< that of the options
  const Workload& workload;
  const Workspace& workspace;
  const Trace& trace;
  std::filesystem::path trace_file;
  std::string command;  ///< repeats the run, quoted for a shell
  /// Set for a merge: nothing is judged but what is needed to explain, the rest was by shards.
  const reports::JoinedShards* shards = nullptr;
};

/// Explores, prints the report, keeps what a replay needs, and returns the exit status. Errors are
/// those that leave nothing to report: the checker fails without a crash, the machine refuses.
[[nodiscard]] Result<int> explore(const Exploration& exploration);

}  // namespace everycrash::cli
