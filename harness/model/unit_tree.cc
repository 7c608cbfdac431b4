#include "harness/model/unit_tree.h"

#include <algorithm>
#include <string>

#include "harness/trace/trace.h"

namespace everycrash {
namespace {

/// What a block that was used before holds: bytes that no text contains, the same every time.
constexpr char kOldByte = '\xe5';

}  // namespace

UnitTree::UnitTree(const UnitHistory& history, FileSystem tree)
    : history_(&history),
      tree_(std::move(tree)),
      owners_(history.cells(), kNoUnit),
      applied_(history.units().size()) {
  for (const NewNode& node : history.new_nodes()) tree_.create(*node.attributes, node.target);
  for (const std::string_view name : history.names()) names_.push_back(tree_.name_id(name));
}

Result<UnitTree> UnitTree::create(const Trace& trace, const UnitHistory& history) {
  Result<FileSystem> start = FileSystem::initial(trace);
  if (!start) return tl::unexpected(start.error());
  return UnitTree(history, std::move(*start));
}

UnitTree::Mark UnitTree::mark() {
  return {tree_.mark(), cell_log_.size(), order_.size(), beyond_.size(), limits_.size()};
}

void UnitTree::rollback(const Mark& mark) {
  tree_.rollback(mark.tree);
  for (; cell_log_.size() > mark.cells; cell_log_.pop_back()) {
    owners_[cell_log_.back().cell] = cell_log_.back().before;
  }
  for (; order_.size() > mark.units; order_.pop_back()) applied_[order_.back()] = false;
  beyond_.resize(mark.beyond);
  limits_.resize(mark.limits);
}

/// True if UNIT is the latest on CELL, and notes it.
bool UnitTree::claim(uint32_t cell, UnitId unit) {
  if (cell == kNoCell) return true;
  if (owners_[cell] != kNoUnit && owners_[cell] > unit) return false;
  cell_log_.push_back({cell, owners_[cell]});
  owners_[cell] = unit;
  return true;
}

void UnitTree::apply(UnitId unit) {
  if (applied_[unit]) return;
  applied_[unit] = true;
  order_.push_back(unit);
  const Unit& what = history_->unit(unit);
  const bool bytes_gone = bytes_are_gone(what);
  for (const UnitChange& change : history_->changes(unit)) {
    if (change.what == UnitChange::What::kSizeAtMost) {
      limit_size(change, unit);
      continue;
    }
    const bool is_bytes = change.cell == kNoCell;
    if (is_bytes ? !bytes_gone : claim(change.cell, unit)) {
      apply(change, unit);
    } else if (!is_bytes) {
      restore(change.cell);  // what is restored there may be what this unit did
    }
  }
}

/// Bytes that were cut off or overwritten by a unit that is there already must not come back.
bool UnitTree::bytes_are_gone(const Unit& unit) const {
  const auto is_there = [this](UnitId id) { return id != kNoUnit && applied_[id]; };
  return unit.kind != UnitKind::kRename &&
         (is_there(unit.hidden_by) || is_there(unit.hidden_by_too));
}

/// Does again what the owner of a name does, if it is to restore it.
void UnitTree::restore(uint32_t cell) {
  const UnitId owner = owners_[cell];
  for (const UnitChange& change : history_->changes(owner)) {
    if (change.cell == cell && change.what == UnitChange::What::kRestoreName) restore_name(change);
  }
}

void UnitTree::restore_name(const UnitChange& change) {
  NodeId node = change.node;
  for (auto unit = static_cast<UnitId>(change.offset); unit-- > 0;) {
    if (!applied_[unit]) continue;
    const auto changes = history_->changes(unit);
    const auto found =
        std::find_if(changes.begin(), changes.end(),
                     [&change](const UnitChange& other) { return other.cell == change.cell; });
    if (found == changes.end()) continue;
    node = found->node;
    break;
  }
  if (node == kNoNode) {
    tree_.clear_entry(change.parent, names_[change.name]);
  } else {
    tree_.set_entry(change.parent, names_[change.name], node);
  }
}

void UnitTree::apply(const UnitChange& change, UnitId unit) {
  using What = UnitChange::What;
  switch (change.what) {
    case What::kSetName:
      tree_.set_entry(change.parent, names_[change.name], change.node);
      return;
    case What::kClearName:
      tree_.clear_entry(change.parent, names_[change.name]);
      return;
    case What::kRestoreName:
      restore_name(change);
      return;
    case What::kAttributes:
      tree_.set_attributes(change.node, *change.attributes);
      return;
    case What::kBytes:
    case What::kGarbage:
    case What::kZero:
      set_bytes(change, unit, 0);
      break;
    case What::kSize:
      grow(change.node, limited(change.node, change.length, unit));
      break;
    case What::kSizeAtMost:
      return;
    case What::kCollapse:
    case What::kInsert:
      move_content(change);
      break;
  }
  forget_times(change.node, unit);
}

/// What CHANGE of UNIT does to bytes, as far as they lie at FROM or behind, and within the file.
void UnitTree::set_bytes(const UnitChange& change, UnitId unit, int64_t from) {
  const Unit& what = history_->unit(unit);
  const bool cut = what.cut_by != kNoUnit && applied_[what.cut_by];
  const bool has_bytes = change.what == UnitChange::What::kBytes;
  int64_t length = has_bytes ? static_cast<int64_t>(change.bytes.size()) : change.length;
  if (has_bytes && cut) length = what.length_cut;
  const int64_t end = change.offset + length;
  if (end > tree_.node(change.node).size && (beyond_.empty() || beyond_.back() != unit)) {
    beyond_.push_back(unit);
  }
  const int64_t start = std::max(change.offset, from);
  if (start >= end) return;
  const auto size = static_cast<size_t>(end - start);
  if (change.what == UnitChange::What::kZero) {
    tree_.zero(change.node, start, end - start);
  } else if (has_bytes) {
    const auto skipped = static_cast<size_t>(start - change.offset);
    tree_.write(change.node, start, change.bytes.substr(skipped, size), false);
  } else {
    tree_.write(change.node, start, std::string(size, kOldByte), false);
  }
}

/// Sets the size. Blocks that are in place behind the old one come into sight with it, whichever
/// reached the disk first.
void UnitTree::grow(NodeId node, int64_t size) {
  const int64_t before = tree_.node(node).size;
  tree_.set_size(node, size);
  if (size <= before) return;
  std::vector<UnitId> hidden = beyond_;
  std::sort(hidden.begin(), hidden.end());
  hidden.erase(std::unique(hidden.begin(), hidden.end()), hidden.end());
  for (const UnitId unit : hidden) {
    if (!applied_[unit] || bytes_are_gone(history_->unit(unit))) continue;
    for (const UnitChange& change : history_->changes(unit)) {
      const bool is_bytes = change.what == UnitChange::What::kBytes ||
                            change.what == UnitChange::What::kGarbage ||
                            change.what == UnitChange::What::kZero;
      if (is_bytes && change.node == node) set_bytes(change, unit, before);
    }
  }
}

void UnitTree::limit_size(const UnitChange& change, UnitId unit) {
  limits_.push_back({change.node, unit, change.length});
  const UnitId owner = owners_[change.cell];
  if (owner != kNoUnit && owner > unit) return;
  if (tree_.node(change.node).size > change.length) tree_.set_size(change.node, change.length);
}

/// What is left of SIZE, which UNIT gives to the file, by limits that came after it.
int64_t UnitTree::limited(NodeId node, int64_t size, UnitId unit) const {
  for (const Limit& limit : limits_) {
    if (limit.node == node && limit.unit > unit) size = std::min(size, limit.size);
  }
  return size;
}

void UnitTree::move_content(const UnitChange& change) {
  const std::string old = tree_.content(change.node);
  const auto size = static_cast<int64_t>(old.size());
  if (change.offset >= size) return;
  const bool collapse = change.what == UnitChange::What::kCollapse;
  const auto cut = static_cast<size_t>(change.offset + (collapse ? change.length : 0));
  const std::string rest = cut < old.size() ? old.substr(cut) : "";
  tree_.set_size(change.node, change.offset);
  tree_.set_size(change.node, collapse ? size - change.length : size + change.length);
  tree_.write(change.node, change.offset + (collapse ? 0 : change.length), rest, false);
}

/// A change of content sets the file's times to the clock's, unless a later unit has set them.
void UnitTree::forget_times(NodeId node, UnitId unit) {
  const Attributes& now = *tree_.node(node).attributes;
  if (!now.times) return;
  const uint32_t cell = history_->attribute_cell(node);
  if (cell != kNoCell && owners_[cell] != kNoUnit && owners_[cell] > unit) return;
  Attributes attributes = now;
  attributes.times.reset();
  tree_.set_attributes(node, attributes);
}

}  // namespace everycrash
