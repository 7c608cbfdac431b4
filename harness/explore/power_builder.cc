#include "harness/explore/power_builder.h"

#include <algorithm>

namespace everycrash {
namespace {

// Taking units off again costs memory for each that is on; so many are kept that way.
constexpr UnitId kReach = 4096;
constexpr UnitId kStep = 32;  // units between two checkpoints

}  // namespace

/// A tree whose units far below UNIT are there for good.
Status PowerStateBuilder::start_at(UnitId unit) {
  Result<UnitTree> tree = UnitTree::create(trace_, history_);
  if (!tree) return tl::unexpected(tree.error());
  tree_.emplace(std::move(*tree));
  base_ = unit > kReach ? unit - kReach : 0;
  for (UnitId i = 0; i < base_; ++i) tree_->apply(i);
  checkpoints_ = {{base_, tree_->mark()}};
  return {};
}

Result<const FileSystem*> PowerStateBuilder::build(uint64_t record,
                                                   const std::vector<UnitId>& lost) {
  const UnitId end = history_.units_until(record);
  const UnitId first_lost = lost.empty() ? end : std::min(lost.front(), end);
  if (!tree_ || first_lost < base_ || first_lost > base_ + 2 * kReach) {
    if (Status ok = start_at(first_lost); !ok) return tl::unexpected(ok.error());
  }
  while (checkpoints_.back().units > first_lost) checkpoints_.pop_back();
  tree_->rollback(checkpoints_.back().mark);
  UnitId unit = checkpoints_.back().units;
  for (; unit < first_lost; ++unit) {
    tree_->apply(unit);
    if ((unit + 1) % kStep == 0) checkpoints_.push_back({unit + 1, tree_->mark()});
  }
  auto next_lost = lost.begin();
  for (; unit < end; ++unit) {
    while (next_lost != lost.end() && *next_lost < unit) ++next_lost;
    if (next_lost == lost.end() || *next_lost != unit) tree_->apply(unit);
  }
  return &tree_->tree();
}

}  // namespace everycrash
