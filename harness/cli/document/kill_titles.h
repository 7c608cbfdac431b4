// What is said of a finding of a killed process.
#pragma once

#include <string>

#include "harness/explain/kill_clusters.h"
#include "harness/trace/trace.h"

namespace everycrash::cli {

/// One line that says what goes wrong, in plain words: "f is emptied before its new content is
/// written".
[[nodiscard]] std::string title_of(const Trace& trace, const KillCluster& cluster);

/// The time in which a crash leads to the effect's fault: "between effect charge order-17 and the
/// rename that records it (state.tmp -> state.json)". Empty for clusters of other judges.
[[nodiscard]] std::string time_of_fault(const Trace& trace, const KillCluster& cluster);

}  // namespace everycrash::cli
