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
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/explain/call_stacks.h"
#include "harness/explore/power_states.h"
#include "harness/model/unit.h"
#include "harness/trace/trace.h"

namespace everycrash {

/// Judges the state right after RECORD in which LOST (ascending) is missing: true = it fails.
using StateFails = std::function<Result<bool>(uint64_t record, const std::vector<UnitId>& lost)>;

/// A state that fails, in its smallest form, and the pair of operations behind it.
struct PowerCause {
  uint64_t point = 0;        ///< record after which the smallest example crashes
  std::vector<UnitId> lost;  ///< what it has lost, ascending
  uint64_t lost_record = 0;  ///< the first operation of which something is lost
  uint64_t kept_record = 0;  ///< the operation or print that makes it matter; 0 = none
  bool at_end = false;       ///< with no such operation: it matters only once the run is over
  std::string key;           ///< the cause as text: kinds, path patterns, place in the program
  std::string text;          ///< one sentence for a person
  uint64_t checks = 0;       ///< states that were judged to find it

  /// 12 hexadecimal digits, the same for the same cause in another run.
  [[nodiscard]] std::string id() const;
};

/// Shrinks STATE, which must fail. Judges at most MOST_CHECKS states; with fewer the result is only
/// less small. Fails if judging fails.
[[nodiscard]] Result<PowerCause> minimise(const Trace& trace, const UnitHistory& history,
                                          const PowerState& state, const StateFails& fails,
                                          const SiteOf& site_of, uint64_t most_checks = 200);

/// Units of LOST (ascending) that miss nothing that they need: where the loss begins.
[[nodiscard]] std::vector<UnitId> roots_of(const UnitHistory& history,
                                           const std::vector<UnitId>& lost);
/// What of UNIT a barrier is missing for, stable over runs and the same under all models: "content
/// of *.tmp", "name *.json".
[[nodiscard]] std::string barrier_of(const Trace& trace, const UnitHistory& history, UnitId unit);
/// The kept half of a cause: "rename *.json at Store::save in app", "print at main in app".
[[nodiscard]] std::string kept_half(const Trace& trace, uint64_t record, const SiteOf& site_of);

}  // namespace everycrash
