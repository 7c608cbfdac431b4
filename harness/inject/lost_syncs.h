// Syncs that were answered without being done (format::kLost), told from a trace.
#pragma once

#include <string>

#include "harness/trace/trace.h"

namespace everycrash {

/// For a person: "3 syncs lost: state.json.tmp 2, sync() 1", by file in the order of their names;
/// "no sync lost" if there was none.
[[nodiscard]] std::string describe_lost_syncs(const Trace& trace);

}  // namespace everycrash
