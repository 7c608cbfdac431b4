// Why a crash state of a power loss fails: the fewest lost units that still make it fail, and the
// operation that makes their loss matter.
//
// A state that a checker rejects may have lost a hundred units. Units are put back, most at once
// first, as long as the state still fails; each step is a legal state. What is left names what a
// barrier is missing for. Then the run is followed backwards, with that loss, to the last moment at
// which it did no harm yet: the operation (or promise) right after it is the other half of the
// cause. "The rename of a.tmp to a reached the disk, the 812 bytes written to a.tmp did not."
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "harness/base/error.h"
#include "harness/explain/power_cause.h"

namespace everycrash {

struct PowerState;

/// Judges the state right after RECORD in which LOST (ascending) is missing: true = it fails.
using StateFails = std::function<Result<bool>(uint64_t record, const std::vector<UnitId>& lost)>;

/// Shrinks STATE, which must fail. Judges at most MOST_CHECKS states; with fewer the result is only
/// less small. Fails if judging fails.
[[nodiscard]] Result<PowerCause> minimise(const Trace& trace, const UnitHistory& history,
                                          const PowerState& state, const StateFails& fails,
                                          const CauseWords& words, uint64_t most_checks = 200);

}  // namespace everycrash
