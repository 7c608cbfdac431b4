// The call stack that made a call.
#pragma once

#include <stdint.h>

#include "harness/record/preload/core/call.h"

namespace everycrash::preload {

/// Sequence number of the kStack record for the caller's stack, appended if it is a new one; 0 if
/// none could be taken, or nobody would read it (stops_alone()). Under the lock.
uint64_t stack_of(const Call& call);

}  // namespace everycrash::preload
