#include "harness/model/history_builder.h"

#include <algorithm>

#include "harness/model/file_system.h"
#include "harness/trace/trace.h"

namespace everycrash {

HistoryBuilder::HistoryBuilder(const Trace& trace, const PersistenceRules& rules) : rules_(rules) {
  history_.ends_.assign(trace.records().size() + 1, 0);
  history_.targets_.assign(trace.records().size() + 1, kNoNode);
  for (const Operation& record : trace.records()) {
    if (record.kind == Kind::kLink) note_linked_inode(record.inode);
  }
}

void HistoryBuilder::end(NodeId target) {
  history_.ends_[record_] = static_cast<UnitId>(history_.units_.size());
  history_.targets_[record_] = target;
}

UnitId HistoryBuilder::add(Draft draft, MetadataOrder order) {
  const auto id = static_cast<UnitId>(history_.units_.size());
  const bool ordered = rules_.metadata_in_order;
  const bool metadata = order == MetadataOrder::kWithin;
  if (ordered && draft.in_log) {
    // What a sync has carried is there; it does not pass on what came before it.
    std::erase_if(draft.before, [this](UnitId before) {
      return before != kNoUnit && history_.units_[before].metadata &&
             std::find(in_log_.begin(), in_log_.end(), before) == in_log_.end();
    });
    // The log is one: whoever writes it writes all that went into it before.
    draft.before.push_back(last_in_log_);
  }
  if (ordered && order != MetadataOrder::kApart && !draft.in_log) {
    draft.before.push_back(last_metadata_);
    draft.before.insert(draft.before.end(), in_log_.begin(), in_log_.end());
  }
  if (ordered && metadata) {
    draft.before.insert(draft.before.end(), flush_started_.begin(), flush_started_.end());
    flush_started_.clear();
    if (draft.in_log) {
      in_log_.push_back(id);
      last_in_log_ = id;
    } else {
      last_metadata_ = id;
      in_log_.clear();
    }
  }
  std::sort(draft.before.begin(), draft.before.end());
  draft.before.erase(std::unique(draft.before.begin(), draft.before.end()), draft.before.end());
  std::erase(draft.before, kNoUnit);

  draft.unit.record = record_;
  draft.unit.metadata = ordered && metadata;
  draft.unit.first_before = static_cast<uint32_t>(history_.befores_.size());
  draft.unit.befores = static_cast<uint32_t>(draft.before.size());
  draft.unit.first_change = static_cast<uint32_t>(history_.changes_.size());
  draft.unit.changes = static_cast<uint32_t>(draft.changes.size());
  history_.befores_.insert(history_.befores_.end(), draft.before.begin(), draft.before.end());
  std::move(draft.changes.begin(), draft.changes.end(), std::back_inserter(history_.changes_));
  history_.units_.push_back(draft.unit);
  return id;
}

void HistoryBuilder::make_partners(UnitId first, UnitId second) {
  history_.units_[first].partner = second;
  history_.units_[second].partner = first;
}

void HistoryBuilder::start_flush(const std::vector<UnitId>& units) {
  flush_started_.insert(flush_started_.end(), units.begin(), units.end());
  history_.flushes_.push_back({record_, units});
}

NodeMemory& HistoryBuilder::memory(NodeId node) {
  if (node >= memories_.size()) memories_.resize(node + 1);
  return memories_[node];
}

uint32_t HistoryBuilder::size_cell(NodeId node) {
  uint32_t& cell = memory(node).size_cell;
  if (cell == kNoCell) cell = history_.cells_++;
  return cell;
}

uint32_t HistoryBuilder::attribute_cell(NodeId node) {
  uint32_t& cell = memory(node).attribute_cell;
  if (cell == kNoCell) cell = history_.cells_++;
  return cell;
}

uint32_t HistoryBuilder::name_index(std::string_view name) {
  const auto [it, fresh] =
      name_indices_.try_emplace(name, static_cast<uint32_t>(history_.names_.size()));
  if (fresh) history_.names_.push_back(name);
  return it->second;
}

UnitChange HistoryBuilder::size_change(NodeId node, int64_t size) {
  UnitChange change;
  change.what = UnitChange::What::kSize;
  change.node = node;
  change.length = size;
  change.cell = size_cell(node);
  return change;
}

UnitChange HistoryBuilder::name_change(NodeId parent, std::string_view name, NodeId node,
                                       Draft& draft) {
  UnitChange change;
  change.what = node == kNoNode ? UnitChange::What::kClearName : UnitChange::What::kSetName;
  change.parent = parent;
  change.name = name_index(name);
  change.node = node;
  const auto [slot, fresh] = slots_.try_emplace({parent, change.name}, Name{history_.cells_});
  if (fresh) ++history_.cells_;
  change.cell = slot->second.cell;
  const auto self = static_cast<UnitId>(history_.units_.size());
  if (slot->second.last != kNoUnit && slot->second.last != self) {
    draft.before.push_back(slot->second.last);
    hide(slot->second.last, self);
  }
  slot->second.last = self;
  // A name in a folder that is not there shows nowhere. (Journals order this anyway.)
  if (!rules_.metadata_in_order) draft.before.push_back(memory(parent).named);
  return change;
}

std::optional<UnitChange> HistoryBuilder::name_again(NodeId parent, std::string_view name,
                                                     NodeId node) const {
  const auto index = name_indices_.find(name);
  if (index == name_indices_.end()) return std::nullopt;
  const auto slot = slots_.find({parent, index->second});
  if (slot == slots_.end()) return std::nullopt;
  UnitChange change;
  change.what = node == kNoNode ? UnitChange::What::kClearName : UnitChange::What::kSetName;
  change.parent = parent;
  change.name = index->second;
  change.node = node;
  change.cell = slot->second.cell;
  return change;
}

void HistoryBuilder::note_logged(LoggedNames names) {
  if (names.units.empty() && names.committed == 0) return;
  history_.logged_names_.emplace(record_, std::move(names));
}

void HistoryBuilder::reveal(UnitId by) {
  for (UnitId id = 0; id < by; ++id) {
    Unit& unit = history_.units_[id];
    for (UnitId* other : {&unit.dropped_by, &unit.hidden_by, &unit.hidden_by_too}) {
      if (*other == by) *other = kNoUnit;
    }
  }
}

void HistoryBuilder::add_node(const std::shared_ptr<const Attributes>& attributes,
                              std::string_view target) {
  history_.new_nodes_.push_back({attributes, target});
}

UnitId HistoryBuilder::needed_name(NodeId node) {
  return rules_.metadata_in_order ? kNoUnit : memory(node).named;
}

void HistoryBuilder::hide(UnitId hidden, UnitId by) {
  Unit& unit = history_.units_[hidden];
  if (unit.hidden_by == kNoUnit) {
    unit.hidden_by = by;
  } else if (unit.hidden_by_too == kNoUnit) {
    unit.hidden_by_too = by;
  }
}

void HistoryBuilder::cut(UnitId unit, UnitId by, int64_t size) {
  Unit& bytes = history_.units_[unit];
  if (size <= bytes.offset || size >= bytes.offset + bytes.length) return;
  if (bytes.kind == UnitKind::kSize || bytes.kind == UnitKind::kTruncate) return;
  bytes.cut_by = by;
  bytes.length_cut = size - bytes.offset;
}

UnitHistory HistoryBuilder::finish(NodeId node_count) {
  history_.node_count_ = node_count;
  history_.syncs_alone_ = rules_.metadata_in_order && rules_.sync == SyncReach::kItsNames;
  history_.attribute_cells_.assign(node_count, kNoCell);
  for (NodeId node = 0; node < std::min<size_t>(node_count, memories_.size()); ++node) {
    history_.attribute_cells_[node] = memories_[node].attribute_cell;
  }
  return std::move(history_);
}

}  // namespace everycrash
