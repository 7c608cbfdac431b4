#include "harness/disk/legal_trees.h"

#include <algorithm>
#include <set>

#include "harness/explore/down_sets.h"
#include "harness/explore/window.h"
#include "harness/model/tree_text.h"

namespace everycrash {

Result<std::unique_ptr<LegalTrees>> LegalTrees::of(const Trace& trace,
                                                   const PersistenceRules& rules) {
  Result<UnitHistory> history = expand(trace, rules);
  if (!history) return tl::unexpected(history.error());
  auto owned = std::make_unique<UnitHistory>(std::move(*history));
  Result<UnitTree> tree = UnitTree::create(trace, *owned);
  if (!tree) return tl::unexpected(tree.error());
  Floor floor = Floor::compute(trace, *owned, rules);
  return std::unique_ptr<LegalTrees>(
      new LegalTrees(trace, std::move(owned), std::move(*tree), std::move(floor)));
}

template <typename With>
bool LegalTrees::enumerate(uint64_t record, With&& with) {
  std::vector<bool> durable(history_->units().size());
  for (const Floor::Step& step : floor_.steps) {
    if (step.record > record) continue;
    for (const UnitId unit : step.units) durable[unit] = true;
  }
  std::vector<UnitId> pending;
  for (UnitId unit = 0; unit < history_->units_until(record); ++unit) {
    if (!durable[unit]) pending.push_back(unit);
  }
  const Window window(*history_, std::move(pending), durable);
  const UnitTree::Mark ground = tree_.mark();
  for (UnitId unit = 0; unit < durable.size(); ++unit) {
    if (durable[unit]) tree_.apply(unit);
  }
  DownSets sets(window, {});
  std::unordered_set<uint64_t> seen;
  uint64_t tried = 0;
  bool few = true;
  while (few && sets.next()) {
    few = ++tried <= kSetsMax;
    if (!seen.insert(sets.hash()).second) continue;
    const UnitTree::Mark mark = tree_.mark();
    for (uint32_t i = 0; i < window.size(); ++i) {
      if (sets.kept()[i] != 0) tree_.apply(window.unit(i));
    }
    with(tree_.tree());
    tree_.rollback(mark);
  }
  tree_.rollback(ground);
  return few;
}

const std::optional<LegalTrees::Trees>& LegalTrees::at(uint64_t record) {
  const auto [it, fresh] = known_.try_emplace(record);
  if (!fresh) return it->second;
  Trees trees;
  if (enumerate(record, [&](const FileSystem& tree) { trees.insert(tree.digest()); })) {
    it->second = std::move(trees);
  }
  return it->second;
}

std::optional<bool> LegalTrees::allow(const Digest& tree, uint64_t record) {
  const std::optional<Trees>& trees = at(record);
  if (!trees) return std::nullopt;
  return trees->count(tree) != 0;
}

const std::unordered_set<Digest>& LegalTrees::everywhere() {
  if (everywhere_) return *everywhere_;
  everywhere_.emplace();
  for (const Operation& record : trace_.records()) {
    if (!is_operation(record.kind) && record.sequence != trace_.records().back().sequence) continue;
    if (const auto& trees = at(record.sequence)) everywhere_->insert(trees->begin(), trees->end());
  }
  return *everywhere_;
}

std::vector<std::string> LegalTrees::texts(uint64_t record, size_t limit) {
  std::set<std::string> found;
  static_cast<void>(enumerate(record, [&](const FileSystem& tree) {
    if (found.size() < limit) found.insert(tree_text(tree));
  }));
  return {found.begin(), found.end()};
}

}  // namespace everycrash
