// How often each effect happened, and which effects cannot be held against a program.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace everycrash {

/// How often an effect may happen.
enum class Occurrence : uint8_t {
  kExactlyOnce,
  kAtLeastOnce,  ///< the receiver can be trusted to see repeats
  kAtMostOnce,   ///< better never than twice
};

/// As a result document writes it: "", "at-least-once" or "at-most-once".
[[nodiscard]] std::string_view name_of(Occurrence right);
/// The one of that name; exactly once for anything else.
[[nodiscard]] Occurrence occurrence_named(std::string_view name);

/// True if EVENTS, lines of $EVERYCRASH_EVENTS, hold an effect.
[[nodiscard]] bool has_effects(std::string_view events);

/// What cannot be held against a program, since it does so in each run: an undisturbed second run
/// did it again, and it is not repeatable.
class HabitualEffects {
 public:
  HabitualEffects() = default;
  /// EVENTS are of that second run, UNDISTURBED of the first.
  HabitualEffects(std::string_view undisturbed, std::string_view events);
  [[nodiscard]] bool contains(const std::string& kind, const std::string& key) const;
  [[nodiscard]] bool empty() const { return effects_.empty(); }
  /// "POST/login body:1f", ...
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  std::set<std::string> kinds_;  // with keys that are not the same in each run
  std::set<std::pair<std::string, std::string>> effects_;
};

struct EffectCount {
  int times = 0;
  bool repeatable = false;
};
using EffectCounts = std::map<std::string, EffectCount, std::less<>>;  ///< by key
using EffectsByKind = std::map<std::string, EffectCounts, std::less<>>;

/// Adds those of EVENTS to EFFECTS, but for what is HABITUAL.
void count_effects(std::string_view events, const HabitualEffects& habitual,
                   EffectsByKind& effects);
/// Of one KEY, and of one KIND; none = 0.
[[nodiscard]] int times_of(const EffectCounts& counts, const std::string& key);
[[nodiscard]] const EffectCounts& counts_of(const EffectsByKind& effects, const std::string& kind);

}  // namespace everycrash
