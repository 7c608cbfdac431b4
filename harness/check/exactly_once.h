// The oracle "exactly once": over a crash and the run after it, each effect happens once.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/check/verdict.h"
#include "harness/effects/find_effects.h"
#include "harness/model/file_system.h"

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

/// True if EVENTS hold an effect.
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
  /// "POST/login body:1f, ..."; "" if there are none.
  [[nodiscard]] std::string describe() const;

 private:
  std::set<std::string> kinds_;  // with keys that are not the same in each run
  std::set<std::pair<std::string, std::string>> effects_;
};

/// All are lines of $EVERYCRASH_EVENTS (harness/trace/event.h).
struct EffectRuns {
  std::string_view undisturbed;
  std::string_view before;  ///< the crash
  std::string_view after;
};

/// Compares the effects before a crash and after it, together, with those of the undisturbed run.
/// An effect is its kind and key: more often than undisturbed is a duplicate unless it is
/// repeatable, never is a loss. Keys that no undisturbed run has (random ones) are not held against
/// the program as long as the number of effects of their kind is right. The `path` of a complaint
/// names its effect: "charge order-17", or only its kind where the key is a random one.
[[nodiscard]] std::vector<Complaint> find_effect_faults(const EffectRuns& runs, Occurrence right,
                                                        const HabitualEffects& habitual);

/// EVENTS, which had happened up to RECORD, without the files among FOUND that the crash took from
/// TREE: a file that is on no disk has not been put anywhere.
[[nodiscard]] std::string without_lost_files(std::string_view events, const FoundEffects& found,
                                             uint64_t record, const FileSystem& tree);

}  // namespace everycrash
