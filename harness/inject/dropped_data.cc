#include "harness/inject/dropped_data.h"

#include <algorithm>
#include <set>
#include <vector>

#include "harness/explore/power_states.h"
#include "harness/model/floor.h"
#include "harness/model/persistence_model.h"
#include "harness/model/unit.h"
#include "harness/trace/trace.h"

namespace everycrash {
namespace {

bool is_data(const Unit& unit) {
  return unit.kind == UnitKind::kData || unit.kind == UnitKind::kAppend ||
         unit.kind == UnitKind::kSize;
}

/// Units that were on disk before RECORD.
std::vector<bool> durable_before(const Floor& floor, const UnitHistory& history, uint64_t record) {
  std::vector<bool> durable(history.units().size());
  for (const Floor::Step& step : floor.steps) {
    if (step.record >= record) break;
    for (const UnitId unit : step.units) durable[unit] = true;
  }
  return durable;
}

}  // namespace

Result<std::optional<WithoutDropped>> without_dropped_data(const Trace& trace) {
  const auto records = trace.records();
  if (std::none_of(records.begin(), records.end(), drops_data)) return std::nullopt;
  const Result<const PersistenceRules*> model = find_model("posix");
  if (!model) return tl::unexpected(model.error());
  const Result<UnitHistory> history = expand(trace, **model, {});
  if (!history) return tl::unexpected(history.error());
  const Floor floor = Floor::compute(trace, *history, **model);
  std::set<UnitId> lost;
  std::set<std::string> files;
  for (const Operation& sync : records) {
    const NodeId node = drops_data(sync) ? history->target(sync.sequence) : kNoNode;
    if (node == kNoNode) continue;
    const std::vector<bool> durable = durable_before(floor, *history, sync.sequence);
    for (UnitId unit = 0; unit < history->units_until(sync.sequence); ++unit) {
      if (history->unit(unit).node != node || durable[unit] || !is_data(history->unit(unit))) {
        continue;
      }
      lost.insert(unit);
      files.insert(std::string(sync.path));
    }
  }
  if (lost.empty()) return std::nullopt;
  Result<FileSystem> tree =
      build_state(trace, *history, records.size(), {lost.begin(), lost.end()});
  if (!tree) return tl::unexpected(tree.error());
  WithoutDropped without{.tree = std::move(*tree)};
  for (const std::string& file : files) without.files += (without.files.empty() ? "" : ", ") + file;
  return without;
}

}  // namespace everycrash
