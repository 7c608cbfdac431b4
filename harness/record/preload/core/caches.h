// What this process remembers between calls, all of it under the lock and all of it dispensable.
#pragma once

namespace everycrash::preload {

void forget_descriptors();
void forget_live_memory();
void forget_stacks();

/// Forgets everything: the statics may have been copied in the middle of a change.
inline void forget_caches() {
  forget_descriptors();
  forget_live_memory();
  forget_stacks();
}

}  // namespace everycrash::preload
