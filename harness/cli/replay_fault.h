// `everycrash replay` of a finding about a failing call: the workload runs again and meets it.
#pragma once

#include "harness/base/error.h"
#include "harness/campaign/workspace.h"
#include "harness/cli/options/options.h"
#include "harness/trace/trace.h"
#include "reports/result.h"

namespace everycrash::cli {

/// True for findings of a live run, which no recorded state stands for.
[[nodiscard]] bool is_about_a_fault(const reports::Finding& finding);

/// Runs the workload with the fault of FINDING, tells how it ended, judges what it left, and
/// returns the exit status. What it left goes to `keep`, if that is given. Fails with kUsage where
/// OPTIONS ask for a shell or a debugger: the run is over when its end is judged.
[[nodiscard]] Result<int> replay_fault(const ReplayOptions& options,
                                       const reports::ResultDocument& document,
                                       const reports::Finding& finding, const Trace& trace,
                                       const Workspace& workspace);

}  // namespace everycrash::cli
