// The table of a run's effects: how often each happens undisturbed, and in how many crash states it
// happens more often, or never.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/crash_kind.h"
#include "harness/check/effect_counts.h"
#include "harness/check/verdict.h"

namespace everycrash {

/// In how many judged states of one crash kind and model an effect was not as it has to be.
struct EffectFaultCount {
  CrashKind crash = CrashKind::kKill;
  std::string model;
  uint64_t duplicated = 0;
  uint64_t lost = 0;
  bool operator==(const EffectFaultCount&) const = default;
};

/// An effect of the recorded run, or of a run after a crash only.
struct EffectFacts {
  std::string effect;        ///< its kind and key: "charge order-17"
  uint64_t undisturbed = 0;  ///< times in the recorded run
  bool repeatable = false;   ///< its receiver knows a repeat of it
  bool habitual = false;     ///< each run does it anew: not held against the program
  std::vector<EffectFaultCount> faults;
};

/// Counts states as they are judged. A value; not thread-safe.
class EffectTally {
 public:
  /// What is counted from now on is of this crash kind and model.
  void begin(CrashKind crash, const std::string& model);
  /// One state, and all that is held against it.
  void add(const std::vector<Complaint>& complaints);
  /// The states of OTHER too, as states of what this one has begun.
  void absorb(const EffectTally& other);

  /// The table of a run whose undisturbed EVENTS these were; those at fault come first.
  [[nodiscard]] std::vector<EffectFacts> table(std::string_view events,
                                               const HabitualEffects& habitual) const;

 private:
  using Way = std::pair<CrashKind, std::string>;  // crash kind and model
  struct States {
    uint64_t duplicated = 0, lost = 0;
  };

  std::vector<Way> ways_;
  size_t current_ = 0;                                      // position in ways_
  std::map<std::string, std::map<size_t, States>> faults_;  // by effect, then position in ways_
};

}  // namespace everycrash
