// The numbers by which files and units are called.
#pragma once

#include <cstdint>

namespace everycrash {

/// Index of a node within one FileSystem and its copies; never reused there.
using NodeId = uint32_t;
inline constexpr NodeId kNoNode = ~NodeId{0};
inline constexpr NodeId kRootNode = 0;

/// Index of a persistence unit, in the order of the trace.
using UnitId = uint32_t;
inline constexpr UnitId kNoUnit = ~UnitId{0};

}  // namespace everycrash
