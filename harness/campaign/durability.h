// From when on what a run did is safe from a power loss. A pure function, thread-safe.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/model/floor.h"
#include "harness/model/unit.h"
#include "harness/trace/trace.h"

namespace everycrash {

/// For each record of TRACE, whose UNITS these are, the one after which all of it is on disk for
/// certain: FLOOR is what the syncs guarantee. As DurabilityFacts::since.
[[nodiscard]] std::vector<int64_t> durable_since(const Trace& trace, const UnitHistory& units,
                                                 const Floor& floor);

}  // namespace everycrash
