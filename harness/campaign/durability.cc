#include "harness/campaign/durability.h"

#include <algorithm>
#include <limits>

#include "harness/campaign/facts.h"

namespace everycrash {

std::vector<int64_t> durable_since(const Trace& trace, const UnitHistory& units,
                                   const Floor& floor) {
  constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  std::vector<int64_t> guaranteed(units.units().size(), kNever);
  for (const Floor::Step& step : floor.steps) {
    for (const UnitId unit : step.units) guaranteed[unit] = static_cast<int64_t>(step.record);
  }
  const auto when = [&](UnitId unit) { return unit == kNoUnit ? kNever : guaranteed[unit]; };
  // A unit needs no guarantee of its own once one that hides it has one.
  const auto settled = [&](UnitId id) {
    const Unit& unit = units.unit(id);
    const int64_t hidden = unit.kind == UnitKind::kRename
                               ? std::max(when(unit.hidden_by), when(unit.hidden_by_too))
                               : std::min(when(unit.hidden_by), when(unit.hidden_by_too));
    return std::min({when(id), when(unit.dropped_by), hidden});
  };
  std::vector<int64_t> since;
  since.reserve(trace.records().size());
  for (const Operation& record : trace.records()) {
    int64_t last = 0;
    const auto [first, end] = units.units_of(record.sequence);
    for (UnitId unit = first; unit < end; ++unit) last = std::max(last, settled(unit));
    since.push_back(last == kNever ? kNeverDurable : last);
  }
  return since;
}

}  // namespace everycrash
