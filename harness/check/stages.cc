#include "harness/check/stages.h"

#include <algorithm>

#include "harness/check/history.h"
#include "harness/effects/found_effects.h"

namespace everycrash {

Stages::Stages(const History& history, const FoundEffects& effects) {
  for (const auto& [path, name] : history.judged()) {
    if (!name.absent_first) continue;
    uint64_t first = ~uint64_t{0};
    for (const Version& version : name.versions) {
      if (version.content) first = std::min(first, version.finished);
    }
    begins_.push_back(first);
  }
  for (const FoundEffect& effect : effects.effects) {
    if (!effect.file.empty()) begins_.push_back(effect.gone);
  }
  std::sort(begins_.begin(), begins_.end());
}

uint64_t Stages::of(uint64_t record) const {
  return static_cast<uint64_t>(std::upper_bound(begins_.begin(), begins_.end(), record) -
                               begins_.begin());
}

}  // namespace everycrash
