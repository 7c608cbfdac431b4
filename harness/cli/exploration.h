// From a trace to a verdict: all crash states, judged, explained, reported.
#pragma once

#include <filesystem>
#include <string>

#include "harness/base/error.h"
#include "harness/cli/judging.h"
#include "harness/cli/options.h"
#include "harness/cli/workload.h"
#include "harness/cli/workspace.h"
#include "harness/trace/trace.h"
#include "reports/merge.h"
#include "reports/result.h"

namespace everycrash::cli {

/// What an exploration starts from; everything in it must outlive the call.
struct Exploration {
  const TestOptions& options;
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

/// What a document says of the run itself: program, options, machine, judges.
void describe_run(reports::ResultDocument& document, const Exploration& exploration,
                  const Panel& panel);

/// Keeps DOCUMENT and what a replay needs where OPTIONS say (--json, else --output if there is a
/// finding), and draws the report for people (--report).
[[nodiscard]] Status keep_and_draw(reports::ResultDocument& document,
                                   const Exploration& exploration);

}  // namespace everycrash::cli
