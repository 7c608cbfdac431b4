// The table of a run's effects: how often each happens undisturbed, and in how many crash states it
// happens more often, or never.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/check/effect_counts.h"
#include "harness/check/verdict.h"
#include "reports/result.h"

namespace everycrash::cli {

/// Counts states as they are judged. A value; not thread-safe.
class EffectTally {
 public:
  /// What is counted from now on is of this crash kind and model.
  void begin(CrashKind crash, const std::string& model);
  /// One state, and all that is held against it.
  void add(const std::vector<Complaint>& complaints);
  /// The states of OTHER too, as states of what this one has begun.
  void absorb(const EffectTally& other);

  /// The table of a run whose undisturbed EVENTS these were; those at fault come first, at most
  /// reports::kEffectsMax.
  void write(std::string_view events, const HabitualEffects& habitual,
             reports::ResultDocument& document) const;

 private:
  using Way = std::pair<CrashKind, std::string>;  // crash kind and model
  struct States {
    uint64_t duplicated = 0, lost = 0;
  };

  std::vector<Way> ways_;
  size_t current_ = 0;                                      // position in ways_
  std::map<std::string, std::map<size_t, States>> faults_;  // by effect, then position in ways_
};

}  // namespace everycrash::cli
