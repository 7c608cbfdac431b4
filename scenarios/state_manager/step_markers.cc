#include "scenarios/state_manager/step_markers.h"

#include "harness/include/everycrash/everycrash.h"

namespace scenarios::state_manager {

void mark_step(const char* name) {
  EVERYCRASH_STEP(name);
}

}  // namespace scenarios::state_manager
