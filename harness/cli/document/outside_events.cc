#include "harness/cli/document/outside_events.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/trace/event.h"

namespace everycrash::cli {
namespace {

using Kind = reports::OutsideEvent::Kind;

reports::OutsideEvent row_of(const Event& event) {
  if (event.is_step()) return {Kind::kStep, std::string(event.step), false};
  return {Kind::kEffect, fmt::format("{} {}", event.kind, event.key), event.is_repeatable()};
}

}  // namespace

std::vector<reports::OutsideEvent> outside_events(const Operation& operation) {
  std::vector<reports::OutsideEvent> rows;
  for (const Event& event : parse_events(operation.events)) {
    if (rows.size() == reports::kEventsMax) break;
    if (event.is_step() || event.is_effect()) rows.push_back(row_of(event));
  }
  return rows;
}

void add_effects(const Operation& operation, std::vector<std::string>& effects) {
  for (const reports::OutsideEvent& event : outside_events(operation)) {
    if (event.kind != Kind::kEffect || effects.size() == reports::kPointsMax) continue;
    if (std::find(effects.begin(), effects.end(), event.words) == effects.end()) {
      effects.push_back(event.words);
    }
  }
}

}  // namespace everycrash::cli
