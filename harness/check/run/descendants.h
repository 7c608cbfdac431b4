// Ending everything that a command started, where no PID namespace does it.
#pragma once

#include "harness/base/error.h"

namespace everycrash {

/// This process becomes the parent of orphans below it (prctl PR_SET_CHILD_SUBREAPER).
bool adopt_orphans();

/// Reaps children that have ended; true if others are still there.
bool children_left();

/// Kills all children with all theirs and reaps them, until none is left. Fails if some survive
/// several seconds of that.
Status kill_descendants();

}  // namespace everycrash
