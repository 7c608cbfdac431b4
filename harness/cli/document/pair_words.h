// What is said of a finding about two runners at once.
#pragma once

#include <string>
#include <vector>

#include "harness/explain/pair_cause.h"

namespace everycrash::cli {

/// One line that says what goes wrong; SAID is the first violation.
[[nodiscard]] std::string title_of(const PointNames& names, const PairCause& cause,
                                   const Complaint& said);

/// "after open(state.tmp)#2", "before its first operation, about to lock f".
[[nodiscard]] std::string words_of(const PairPlace& place);

/// What became of each turn, a line each: "the first goes on and stands still after open(f)#1".
[[nodiscard]] std::vector<std::string> schedule_of(const PointNames& names, const Trace& trace,
                                                   const PairRun& run);

}  // namespace everycrash::cli
