// The number of a persistence unit (unit.h), for those who only hand it on.
#pragma once

#include <cstdint>

namespace everycrash {

using UnitId = uint32_t;
inline constexpr UnitId kNoUnit = ~UnitId{0};

}  // namespace everycrash
