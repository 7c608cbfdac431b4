// What is said of a finding of a power loss.
#pragma once

#include <string>

#include "harness/explain/power_cause.h"

namespace everycrash::cli {

/// One sentence for a person, without its full stop: "The rename of a.tmp to a reached the disk,
/// the 812 bytes written to a.tmp did not". HISTORY is the one that CAUSE was found in.
[[nodiscard]] std::string title_of(const Trace& trace, const UnitHistory& history,
                                   const PowerCause& cause);

}  // namespace everycrash::cli
