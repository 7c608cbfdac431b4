#include "harness/explain/run_names.h"

#include <vector>

namespace everycrash {
CrashPoint RunNames::named_point(uint64_t record) const {
  while (record > 0 && points_.occurrence(record) == 0) --record;
  return {record, -1};
}

CallSite RunNames::site_of(uint64_t stack) const {
  if (stack == 0) return {};
  const auto known = sites_.find(stack);
  if (known != sites_.end()) return known->second;
  const std::vector<Frame> frames = stacks_.frames(stack);
  return sites_[stack] = frames.empty() ? CallSite() : call_site_of(frames[user_frame(frames)]);
}

}  // namespace everycrash
