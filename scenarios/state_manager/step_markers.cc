#include "scenarios/state_manager/step_markers.h"

#include <string>

#include "scenarios/state_manager/event_file.h"

namespace state_manager {

void mark_step(const char* name) {
  append_event("step " + std::string(name));
}

void mark_call(const SaveRules& rules, const char* name) {
  if (rules.mark_calls) mark_step(name);
}

}  // namespace state_manager
