#include "harness/check/exactly_once.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "harness/trace/event.h"

namespace everycrash {
namespace {

constexpr std::string_view kDuplicate = "duplicate";
constexpr std::string_view kLoss = "loss";

struct Count {
  int times = 0;
  bool repeatable = false;
};
using Counts = std::map<std::string, Count, std::less<>>;    // by key
using Effects = std::map<std::string, Counts, std::less<>>;  // by kind

void count(std::string_view events, const HabitualEffects& habitual, Effects& effects) {
  for (const Event& event : parse_events(events)) {
    if (!event.is_effect()) continue;
    const std::string kind(event.kind);
    const std::string key(event.key);
    if (habitual.contains(kind, key)) continue;
    Count& counted = effects[kind][key];
    ++counted.times;
    counted.repeatable = counted.repeatable || event.is_repeatable();
  }
}

int times_of(const Counts& counts, const std::string& key) {
  const auto found = counts.find(key);
  return found == counts.end() ? 0 : found->second.times;
}

const Counts& counts_of(const Effects& effects, const std::string& kind) {
  static const Counts kNone;
  const auto found = effects.find(kind);
  return found == effects.end() ? kNone : found->second;
}

std::string words(int number) {
  constexpr const char* kWords[] = {"never", "once", "twice"};
  return number < 3 ? kWords[number] : fmt::format("{} times", number);
}

int total(const Counts& counts) {
  int sum = 0;
  for (const auto& [key, counted] : counts) sum += counted.repeatable ? 1 : counted.times;
  return sum;
}

/// The effects of one kind.
class Comparison {
 public:
  Comparison(const std::string& kind, const Counts& expected, const Counts& found, Occurrence right)
      : kind_(kind), expected_(expected), found_(found), right_(right) {}

  void compare(std::vector<Complaint>& complaints) {
    compare_known(complaints);
    compare_unknown(complaints);
  }

 private:
  void add(std::vector<Complaint>& complaints, std::string_view fault, const std::string& key,
           const std::string& message) {
    const bool forgiven = fault == kDuplicate ? right_ == Occurrence::kAtLeastOnce
                                              : right_ == Occurrence::kAtMostOnce;
    if (forgiven) return;
    complaints.push_back({Judge::kExactlyOnce, Verdict::kViolated,
                          key.empty() ? kind_ : fmt::format("{} {}", kind_, key),
                          fmt::format("{}: {}", fault, message)});
  }

  void compare_known(std::vector<Complaint>& complaints) {
    for (const auto& [key, counted] : found_) {
      const int allowed = std::max(times_of(expected_, key), 1);
      if (counted.times <= allowed || counted.repeatable) continue;
      add(complaints, kDuplicate, key,
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
    for (size_t i = 0; i + foreign.size() < lost.size(); ++i) {
      add(complaints, kLoss, lost[i],
          fmt::format("{} {} never happens, neither before the crash nor in the run after it",
                      kind_, lost[i]));
      if (!foreign.empty()) return;  // which of them it is cannot be told
    }
    if (foreign.size() > lost.size()) {
      // The keys themselves may be other ones in the next run of everycrash.
      add(complaints, kDuplicate, "",
          fmt::format("{} happens {} over crash and restart, undisturbed {}; after the crash with "
                      "keys that the undisturbed run did not use",
                      kind_, words(total(found_)), words(total(expected_))));
    }
  }

  const std::string& kind_;
  const Counts& expected_;
  const Counts& found_;
  Occurrence right_;
};

}  // namespace

HabitualEffects::HabitualEffects(std::string_view undisturbed, std::string_view events) {
  Effects first, again;
  count(undisturbed, {}, first);
  count(events, {}, again);
  for (const auto& [kind, counts] : again) {
    for (const auto& [key, counted] : counts) {
      const bool known = times_of(counts_of(first, kind), key) != 0;
      if (known && counted.repeatable) continue;
      if (!known) kinds_.insert(kind);
      effects_.emplace(kind, key);
    }
  }
}

bool HabitualEffects::contains(const std::string& kind, const std::string& key) const {
  return kinds_.count(kind) != 0 || effects_.count({kind, key}) != 0;
}

std::string HabitualEffects::describe() const {
  constexpr size_t kShown = 3;
  std::vector<std::string> shown;
  for (const auto& [kind, key] : effects_) {
    if (shown.size() < kShown) shown.push_back(fmt::format("{} {}", kind, key));
  }
  if (effects_.size() > kShown) shown.push_back(fmt::format("{} more", effects_.size() - kShown));
  return fmt::format("{}", fmt::join(shown, ", "));
}

std::string_view name_of(Occurrence right) {
  switch (right) {
    case Occurrence::kAtLeastOnce:
      return "at-least-once";
    case Occurrence::kAtMostOnce:
      return "at-most-once";
    case Occurrence::kExactlyOnce:
      break;
  }
  return "";
}

Occurrence occurrence_named(std::string_view name) {
  for (const Occurrence right : {Occurrence::kAtLeastOnce, Occurrence::kAtMostOnce}) {
    if (name == name_of(right)) return right;
  }
  return Occurrence::kExactlyOnce;
}

bool has_effects(std::string_view events) {
  const std::vector<Event> parsed = parse_events(events);
  return std::any_of(parsed.begin(), parsed.end(),
                     [](const Event& event) { return event.is_effect(); });
}

std::vector<Complaint> find_effect_faults(const EffectRuns& runs, Occurrence right,
                                          const HabitualEffects& habitual) {
  Effects expected, found;
  count(runs.undisturbed, habitual, expected);
  count(runs.before, habitual, found);
  count(runs.after, habitual, found);
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

EffectFault effect_fault_of(const Complaint& complaint) {
  if (complaint.judge != Judge::kExactlyOnce) return EffectFault::kNone;
  return complaint.message.starts_with(kLoss) ? EffectFault::kLoss : EffectFault::kDuplicate;
}
const char* name_of(EffectFault fault) {
  return fault == EffectFault::kNone ? "" : fault == EffectFault::kLoss ? "loss" : "duplicate";
}

}  // namespace everycrash
