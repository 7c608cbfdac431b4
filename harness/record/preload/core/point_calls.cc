// Which calls can be the point at which a run is to be killed.

#include "harness/record/preload/core/plan.h"
#include "harness/record/system_calls.h"
#include "harness/trace/point_name.h"

namespace everycrash::preload {

namespace {

CallGroup wanted = CallGroup::kAlways;

// The kind of "rename(state.json)"; kNone for lines of events.
format::Kind kind_of_point() {
  const Text point = text_of(session.header->plan.point);
  for (uint16_t kind = 0; kind < kKindsEnd; ++kind) {
    const Text word = text_of(point::word_of(static_cast<format::Kind>(kind)));
    if (word.size == 0 || word.size >= point.size || point.data[word.size] != '(') continue;
    if (starts_with(point, word)) return static_cast<format::Kind>(kind);
  }
  return format::Kind::kNone;
}

}  // namespace

void find_point() {
  wanted = traits_of(kind_of_point()).group;
}

bool leads_to_point(long number) {
  if (wanted == CallGroup::kMap)
    return true;  // what a mapping has changed is looked for everywhere
  const calls::SystemCall* call = calls::find(number);
  const CallGroup group = call == nullptr ? CallGroup::kAlways : call->group;
  return group == CallGroup::kAlways || group == wanted;
}

}  // namespace everycrash::preload
