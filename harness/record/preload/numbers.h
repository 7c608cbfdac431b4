// System calls newer than the headers of the machine that builds this.
#pragma once

namespace everycrash::preload {

inline constexpr int kEpollPwait2 = 441;
inline constexpr int kFchmodat2 = 452;

}  // namespace everycrash::preload
