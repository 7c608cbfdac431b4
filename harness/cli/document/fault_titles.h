// What is said of a finding about calls that fail.
#pragma once

#include <string>

#include "harness/explain/fault_clusters.h"

namespace everycrash::cli {

/// "write of f fails, and the run says that all is well". CALL is the one of the example.
[[nodiscard]] std::string title_of(const Operation& call, const FaultCluster& cluster);

}  // namespace everycrash::cli
