// Places for runs with failing calls, side by side, and what undisturbed runs show about them.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "harness/base/error.h"
#include "harness/campaign/faulted_judgement.h"
#include "harness/campaign/gaps.h"
#include "harness/campaign/plan.h"
#include "harness/campaign/run_makers.h"
#include "harness/campaign/stop.h"
#include "harness/inject/faulted_runs.h"

namespace everycrash {

class Workspace;
struct Workload;

struct FaultPlaces {
  std::vector<std::unique_ptr<FaultedRuns>> places;
  FaultGrounds grounds;
  std::optional<OneFaultedRunAtATime> limitation;  ///< what this machine does not allow
};

/// What places are made of; all of it must outlive the call, `workload` and `judged_by` the places.
struct FaultPlacesInput {
  const RunPlan& run;
  const Workload& workload;
  const Trace& trace;  ///< the recorded run
  const Grounds& judged_by;
  const Workspace& workspace;
  Stop stop = {};
  bool plain = false;  ///< no namespaces, even where they are allowed
  size_t workers = 1;  ///< at most so many places
  const RunMakers& runs = real_runs();
};

/// Makes the places and runs the workload undisturbed in the first: in a network of its own where
/// that is allowed and the workload can do without the machine's; else there is only one place,
/// since two runs could want one port. Fails with kHarness where the workload does not succeed when
/// it is run again.
[[nodiscard]] Result<FaultPlaces> make_fault_places(const FaultPlacesInput& input);

/// Settles who judges, by the chosen JUDGES: a checker or the resume oracle look at restarts
/// themselves.
void limit_restarts(const std::set<Judge>& judges, FaultGrounds& grounds);

}  // namespace everycrash
