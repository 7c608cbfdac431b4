#include "harness/check/effect_counts.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/trace/event.h"

namespace everycrash {

void count_effects(std::string_view events, const HabitualEffects& habitual,
                   EffectsByKind& effects) {
  for (const Event& event : parse_events(events)) {
    if (!event.is_effect()) continue;
    const std::string kind(event.kind);
    const std::string key(event.key);
    if (habitual.contains(kind, key)) continue;
    EffectCount& counted = effects[kind][key];
    ++counted.times;
    counted.repeatable = counted.repeatable || event.is_repeatable();
  }
}

int times_of(const EffectCounts& counts, const std::string& key) {
  const auto found = counts.find(key);
  return found == counts.end() ? 0 : found->second.times;
}

const EffectCounts& counts_of(const EffectsByKind& effects, const std::string& kind) {
  static const EffectCounts kNone;
  const auto found = effects.find(kind);
  return found == effects.end() ? kNone : found->second;
}

HabitualEffects::HabitualEffects(std::string_view undisturbed, std::string_view events) {
  EffectsByKind first, again;
  count_effects(undisturbed, {}, first);
  count_effects(events, {}, again);
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

std::vector<std::string> HabitualEffects::names() const {
  std::vector<std::string> names;
  for (const auto& [kind, key] : effects_) names.push_back(fmt::format("{} {}", kind, key));
  return names;
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

}  // namespace everycrash
