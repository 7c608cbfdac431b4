// What the search for a finding on real file systems came to, in words.
#pragma once

#include <string>
#include <vector>

#include "reports/result.h"

namespace everycrash::reports {

/// A line each: "seen on real xfs (Linux 6.1, default options): 2 of 60 states; everycrash disk
/// shell ...". File systems on which nobody searched share a line. Pure, thread-safe.
[[nodiscard]] std::vector<std::string> lines_of(const std::vector<RealSearch>& searches);

}  // namespace everycrash::reports
