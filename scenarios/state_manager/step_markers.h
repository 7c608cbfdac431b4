// Step markers: lines "step NAME" in the file that $EVERYCRASH_EVENTS names, so that a crash point
// can be named by what the job was doing. Without that variable they cost nothing.
#pragma once

namespace scenarios::state_manager {

/// The job has just finished this part of a step: mark-running, work, effect or mark-done. Or it
/// has counted something: a retry, a dead-letter, recovered steps, an idempotency-hit.
void mark_step(const char* name);

}  // namespace scenarios::state_manager
