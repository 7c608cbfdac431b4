// The number of a file or folder of a FileSystem (file_system.h), for those who only hand it on.
#pragma once

#include <cstdint>

namespace everycrash {

/// Index of a node within one FileSystem and its copies; never reused there.
using NodeId = uint32_t;
inline constexpr NodeId kNoNode = ~NodeId{0};
inline constexpr NodeId kRootNode = 0;

}  // namespace everycrash
