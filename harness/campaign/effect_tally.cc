#include "harness/campaign/effect_tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/trace/event.h"

namespace everycrash {

void EffectTally::begin(CrashKind crash, const std::string& model) {
  const Way way{crash, model};
  current_ = static_cast<size_t>(std::find(ways_.begin(), ways_.end(), way) - ways_.begin());
  if (current_ == ways_.size()) ways_.push_back(way);
}

void EffectTally::add(const std::vector<Complaint>& complaints) {
  std::set<std::string_view> seen;  // a state counts once
  for (const Complaint& complaint : complaints) {
    const EffectFault fault = effect_fault_of(complaint);
    if (fault == EffectFault::kNone || !is_violation(complaint)) continue;
    if (!seen.insert(complaint.path).second) continue;
    States& states = faults_[complaint.path][current_];
    ++(fault == EffectFault::kDuplicate ? states.duplicated : states.lost);
  }
}

void EffectTally::absorb(const EffectTally& other) {
  for (const auto& [effect, by_way] : other.faults_) {
    for (const auto& [way, counted] : by_way) {
      States& states = faults_[effect][current_];
      states.duplicated += counted.duplicated;
      states.lost += counted.lost;
    }
  }
}

std::vector<EffectFacts> EffectTally::table(std::string_view events,
                                            const HabitualEffects& habitual) const {
  std::map<std::string, EffectFacts> rows;
  for (const Event& event : parse_events(events)) {
    if (!event.is_effect()) continue;
    EffectFacts& row = rows[fmt::format("{} {}", event.kind, event.key)];
    ++row.undisturbed;
    row.repeatable = row.repeatable || event.is_repeatable();
    row.habitual = habitual.contains(std::string(event.kind), std::string(event.key));
  }
  for (const auto& [effect, by_way] : faults_) {
    for (const auto& [way, states] : by_way) {
      rows[effect].faults.push_back(
          {ways_[way].first, ways_[way].second, states.duplicated, states.lost});
    }
  }
  std::vector<EffectFacts> table;
  for (auto& [effect, row] : rows) {
    row.effect = effect;
    table.push_back(std::move(row));
  }
  std::stable_partition(table.begin(), table.end(),
                        [](const EffectFacts& row) { return !row.faults.empty(); });
  return table;
}

}  // namespace everycrash
