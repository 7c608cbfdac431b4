// The oracle of two runners at once: what they leave must be what one leaves after the other.
//
// It applies to files that the workload makes or replaces whole, where two runs one after the other
// leave the same each time. The order of words in a file does not count, since two that take turns
// as they should may come in any order. Where one of the two changed nothing (it found a lock and
// went away), what one runner alone leaves is as good. Where one was refused (refusal.h) before it
// had touched the file, also what the second of two in a row leaves half done. One that was refused
// after it had changed something leaves what cannot be judged without a checker, unless it took
// away or emptied the file itself.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "harness/check/history.h"
#include "harness/check/verdict.h"
#include "harness/model/difference.h"
#include "harness/trace/trace.h"

namespace everycrash {

/// Undisturbed runs. A value.
struct SerialRuns {
  History alone;                  ///< one runner
  History both;                   ///< one after the other
  std::set<std::string> judged;   ///< the files that can be compared
  std::set<std::string> varying;  ///< made or replaced whole, but not the same each time
};

/// AGAIN is a second run of what BOTH is one of. Files that IGNORE covers are left out.
[[nodiscard]] SerialRuns compare_serial_runs(History alone, History both, const History& again,
                                             const IgnoreGlobs& ignore);

/// What is wrong with the end of TRACE, whose history is PAIR: files that no order of the two
/// leaves, and effects that happened more often than one after the other.
[[nodiscard]] std::vector<Complaint> find_serial_faults(const SerialRuns& serial,
                                                        const Trace& trace, const History& pair);

}  // namespace everycrash
