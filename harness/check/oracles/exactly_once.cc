#include "harness/check/oracles/exactly_once.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace everycrash {
namespace {

using enum Applies;
using enum Circumstance;

// Effects can be counted wherever a second run succeeds. What each run does anew is not meant to
// happen once, unless somebody says so. Why the workload cannot be run again at all, the oracle
// "resume" says.
constexpr ApplicabilityRow kApplies[] = {
    {.lacks = {kByDefault, kAsked}, .then = {kNo}},
    {.holds = {kAsked}, .lacks = {kEffects}, .then = {kNo, Unjudged::kNoEffects}},
    {.holds = {kEffectRules}, .lacks = {kEffects}, .then = {kNo, Unjudged::kNoEffects}},
    {.lacks = {kEffects}, .then = {kNo}},
    {.holds = {kAsked}, .then = {kYes}},
    {.holds = {kSendsOutside}, .lacks = {kResumeAsked}, .then = {kNo}},
    {.holds = {kRanAgain}, .lacks = {kSucceeded, kResumeAsked}, .then = {kNo}},
    {.holds = {kStartRecovered}, .lacks = {kStartSucceeded, kResumeAsked}, .then = {kNo}},
    {.holds = {kRepeatedAll}, .then = {kNo, Unjudged::kEffectOfEachRun}},
    {.holds = {kRepeated}, .then = {kYes, Unjudged::kEffectOfEachRun}},
    {.then = {kYes}},
};
static_assert(is_sound(kApplies));

std::string words(int number) {
  constexpr const char* kWords[] = {"never", "once", "twice"};
  return number < 3 ? kWords[number] : fmt::format("{} times", number);
}

int total(const EffectCounts& counts) {
  int sum = 0;
  for (const auto& [key, counted] : counts) sum += counted.repeatable ? 1 : counted.times;
  return sum;
}

/// The effects of one kind.
class Comparison {
 public:
  Comparison(const std::string& kind, const EffectCounts& expected, const EffectCounts& found,
             Occurrence right)
      : kind_(kind), expected_(expected), found_(found), right_(right) {}

  void compare(std::vector<Complaint>& complaints) {
    compare_known(complaints);
    compare_unknown(complaints);
  }

 private:
  /// True if a fault of a KEY, "" where it is a random one, is forgiven.
  [[nodiscard]] bool forgives(EffectFault fault, bool repeatable) const {
    Facts<EffectFact> facts;
    facts.set(EffectFact::kTwice, fault == EffectFault::kDuplicate)
        .set(EffectFact::kRepeatable, repeatable)
        .set(EffectFact::kAtLeastOnce, right_ == Occurrence::kAtLeastOnce)
        .set(EffectFact::kAtMostOnce, right_ == Occurrence::kAtMostOnce);
    return decide(kEffectForgives, facts);
  }

  void add(std::vector<Complaint>& complaints, EffectFault fault, const std::string& key,
           const std::string& message) {
    complaints.push_back(
        {.judge = Judge::kExactlyOnce,
         .path = key.empty() ? kind_ : fmt::format("{} {}", kind_, key),
         .message = fmt::format("{}: {}", name_of(fault), message),
         .wrong = fault == EffectFault::kDuplicate ? Wrong::kDuplicateEffect : Wrong::kLostEffect});
  }

  void compare_known(std::vector<Complaint>& complaints) {
    for (const auto& [key, counted] : found_) {
      if (counted.times <= std::max(times_of(expected_, key), 1)) continue;
      if (forgives(EffectFault::kDuplicate, counted.repeatable)) continue;
      add(complaints, EffectFault::kDuplicate, key,
          fmt::format("{} {} happens {} over crash and restart, undisturbed {}", kind_, key,
                      words(counted.times), words(times_of(expected_, key))));
    }
  }

  /// A key of its own each time is right for some programs; then only the number can be compared.
  void compare_unknown(std::vector<Complaint>& complaints) {
    std::vector<std::string> lost, foreign;
    for (const auto& [key, counted] : expected_) {
      if (times_of(found_, key) == 0) lost.push_back(key);
    }
    for (const auto& [key, counted] : found_) {
      if (times_of(expected_, key) == 0) foreign.push_back(key);
    }
    const bool loss_counts = !forgives(EffectFault::kLoss, false);
    for (size_t i = 0; loss_counts && i + foreign.size() < lost.size(); ++i) {
      add(complaints, EffectFault::kLoss, lost[i],
          fmt::format("{} {} never happens, neither before the crash nor in the run after it",
                      kind_, lost[i]));
      if (!foreign.empty()) return;  // which of them it is cannot be told
    }
    if (foreign.size() > lost.size() && !forgives(EffectFault::kDuplicate, false)) {
      // The keys themselves may be other ones in the next run of everycrash.
      add(complaints, EffectFault::kDuplicate, "",
          fmt::format("{} happens {} over crash and restart, undisturbed {}; after the crash with "
                      "keys that the undisturbed run did not use",
                      kind_, words(total(found_)), words(total(expected_))));
    }
  }

  const std::string& kind_;
  const EffectCounts& expected_;
  const EffectCounts& found_;
  Occurrence right_;
};

}  // namespace

std::vector<Complaint> find_effect_faults(const EffectRuns& runs, Occurrence right,
                                          const HabitualEffects& habitual) {
  EffectsByKind expected, found;
  count_effects(runs.undisturbed, habitual, expected);
  count_effects(runs.before, habitual, found);
  count_effects(runs.after, habitual, found);
  std::vector<Complaint> complaints;
  for (const auto& [kind, counts] : expected) {
    Comparison(kind, counts, counts_of(found, kind), right).compare(complaints);
  }
  for (const auto& [kind, counts] : found) {
    if (!expected.contains(kind)) Comparison(kind, {}, counts, right).compare(complaints);
  }
  return complaints;
}

std::string without_lost_files(std::string_view events, const FoundEffects& found, uint64_t record,
                               const FileSystem& tree) {
  std::string left(events);
  for (const FoundEffect& effect : found.effects) {
    const bool lay_there =
        !effect.file.empty() && effect.sequence <= record && record < effect.gone;
    if (!lay_there || tree.find(effect.file) != kNoNode) continue;
    const size_t line = left.rfind(effect.line + "\n");
    if (line != std::string::npos) left.erase(line, effect.line.size() + 1);
  }
  return left;
}

std::span<const ApplicabilityRow> ExactlyOnceOracle::when() const {
  return kApplies;
}

void ExactlyOnceOracle::leave_out(const Grounds& grounds, const Selection& /*selection*/,
                                  std::vector<NotJudged>& not_judged) const {
  for (const UncountedSends& sent : grounds.effects.not_counted) {
    not_judged.push_back({.why = sent.encrypted ? Unjudged::kEncrypted : Unjudged::kNotCounted,
                          .judge = name(),
                          .names = {sent.peer},
                          .count = sent.messages});
  }
  if (grounds.effects.assumes_keys) {
    not_judged.push_back({.why = Unjudged::kAssumedKeys, .judge = name()});
  }
}

std::vector<Complaint> ExactlyOnceOracle::judge(const Seen& seen) const {
  const StateView& state = seen.state;
  if (!seen.next->unseen.empty()) {
    return {{.judge = name(),
             .verdict = Verdict::kNotMeasured,
             .message = fmt::format("the effects of the run after a crash are not known: {}",
                                    seen.next->unseen),
             .wrong = Wrong::kUnseenEffects}};
  }
  const std::string before =
      without_lost_files(state.events, seen.effects(), state.record, *state.tree);
  return find_effect_faults({seen.grounds.history.events(), before, seen.next->events},
                            seen.grounds.options.occurrence, seen.grounds.selection.habitual);
}

}  // namespace everycrash
