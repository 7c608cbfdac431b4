// The time of day, from the kernel's vDSO: a call for it would cost as much as a small write.
#pragma once

#include <stdint.h>

namespace everycrash::preload {

/// Finds the vDSO by the auxiliary vector, which lies behind ENVIRONMENT on the initial stack.
void find_clock(char** environment);

/// CLOCK_REALTIME in nanoseconds.
int64_t now_ns();

}  // namespace everycrash::preload
