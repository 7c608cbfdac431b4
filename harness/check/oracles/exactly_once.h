// The oracle "exactly once": over a crash and the run after it, each effect happens once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/check/oracles/oracle.h"

namespace everycrash {

/// On what it depends whether an effect that did not happen as often as undisturbed is held against
/// a program. (What is habitual is not even counted.)
enum class EffectFact : uint8_t {
  kTwice,        ///< it happened more often; else never
  kRepeatable,   ///< the receiver is known to see repeats of it
  kAtLeastOnce,  ///< that is all that is wanted
  kAtMostOnce,   ///< that is
};

inline constexpr TruthRow<EffectFact, bool> kEffectForgives[] = {
    {.holds = {EffectFact::kTwice, EffectFact::kRepeatable}, .then = true},
    {.holds = {EffectFact::kTwice, EffectFact::kAtLeastOnce}, .then = true},
    {.holds = {EffectFact::kTwice}, .then = false},
    {.holds = {EffectFact::kAtMostOnce}, .then = true},
    {.then = false},
};
static_assert(is_sound(kEffectForgives));

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

class ExactlyOnceOracle : public Oracle {
 public:
  [[nodiscard]] Judge name() const override { return Judge::kExactlyOnce; }
  [[nodiscard]] Sees sees() const override { return Sees::kNextRun; }
  [[nodiscard]] std::span<const ApplicabilityRow> when() const override;
  void leave_out(const Grounds& grounds, const Selection& selection,
                 std::vector<NotJudged>& not_judged) const override;
  [[nodiscard]] std::vector<Complaint> judge(const Seen& seen) const override;
};

}  // namespace everycrash
