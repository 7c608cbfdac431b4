// Places for runs with failing calls, side by side, and what undisturbed runs show about them.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/cli/faulted_judgement.h"
#include "harness/cli/options.h"
#include "harness/cli/workload.h"
#include "harness/cli/workspace.h"
#include "harness/inject/faulted_runs.h"

namespace everycrash::cli {

struct FaultPlaces {
  std::vector<std::unique_ptr<FaultedRuns>> places;
  FaultGrounds grounds;
  std::string limitation;  ///< what this machine does not allow, for a person; "" = nothing
};

/// Makes at most WORKERS places and runs the workload undisturbed in the first: in a network of its
/// own where that is allowed and the workload can do without the machine's; else there is only one
/// place, since two runs could want one port. TRACE and JUDGED_BY are of the recorded run. Fails
/// with kHarness where the workload does not succeed when it is run again.
[[nodiscard]] Result<FaultPlaces> make_fault_places(const TestOptions& options,
                                                    const Workload& workload, const Trace& trace,
                                                    const Grounds& judged_by,
                                                    const Workspace& workspace, size_t workers);

/// Settles who judges, by the chosen JUDGES: a checker or the resume oracle look at restarts
/// themselves.
void limit_restarts(const std::set<Judge>& judges, FaultGrounds& grounds);

}  // namespace everycrash::cli
