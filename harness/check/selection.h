// Which oracles apply to a workload: those that were asked for, or with neither a checker nor a
// wish all that can be judged.
#pragma once

#include "harness/base/error.h"
#include "harness/check/grounds.h"
#include "harness/check/undisturbed_runs.h"

namespace everycrash {

/// Chooses by what GROUNDS say and, where that matters, by what one or two more RUNS show. Fails as
/// they do, or with kHarness where the workload is to be resumed and cannot even be run again.
[[nodiscard]] Result<Selection> select_oracles(const Grounds& grounds, UndisturbedRuns& runs);

}  // namespace everycrash
