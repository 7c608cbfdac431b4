// Units of names where a sync writes a log tree: what goes with the log (btrfs_log.h).
#include <utility>

#include "harness/model/unit_expander.h"
#include "harness/trace/trace.h"

namespace everycrash {

BtrfsLog::Name UnitExpander::name_of(const Place& place) const {
  return {place.parent, *stage_.known_name(place.name)};
}

void UnitExpander::synced(const Operation& operation, NodeId node) {
  if (syncs_all(operation.kind)) {
    log_->forget();
  } else if (node != kNoNode) {
    BtrfsLog::Synced synced = log_->sync(node, builder_.next_unit());
    builder_.note_logged(std::move(synced.names));
    for (const BtrfsLog::Cut& cut : synced.cuts) {
      state_in_log(UnitKind::kTruncate, cut.node, cut_change(cut));
    }
    names_in_log(synced.later);
    for (const NodeId other : synced.attributes) {
      state_in_log(UnitKind::kAttributes, other, attributes_change(other));
    }
  }
}

/// What the log says of a file, whatever the last transaction has of it: CHANGE. It stands outside
/// of the order of the log: what follows there does not need it, because after a commit between
/// the change and the sync there is none.
void UnitExpander::state_in_log(UnitKind kind, NodeId node, UnitChange change) {
  Draft draft;
  draft.in_log = true;
  draft.unit.kind = kind;
  draft.unit.node = node;
  draft.unit.offset = change.length;
  draft.unit.for_reading = kind == UnitKind::kTruncate;
  draft.changes.push_back(std::move(change));
  builder_.memory(node).droppable.push_back(builder_.add(std::move(draft), MetadataOrder::kApart));
}

/// Names that a sync carries where no commit came between; then all of them.
void UnitExpander::names_in_log(const std::vector<BtrfsLog::Name>& names) {
  Draft draft;
  for (const BtrfsLog::Name& name : names) {
    const NodeId holder = log_->holder_of(name);
    const auto change = builder_.name_again(name.parent, stage_.name(name.name), holder);
    if (!change) continue;
    draft.changes.push_back(*change);
    draft.unit.node = holder;
    draft.unit.parent = name.parent;
  }
  if (draft.changes.empty()) return;
  draft.in_log = true;
  draft.unit.kind = UnitKind::kEntry;
  builder_.add(std::move(draft), MetadataOrder::kApart);
}

UnitChange UnitExpander::cut_change(const BtrfsLog::Cut& cut) {
  UnitChange change;
  change.what = UnitChange::What::kSizeAtMost;
  change.node = cut.node;
  change.length = cut.size;
  change.cell = builder_.size_cell(cut.node);
  return change;
}

UnitChange UnitExpander::attributes_change(NodeId node) {
  UnitChange change;
  change.what = UnitChange::What::kAttributes;
  change.node = node;
  change.cell = builder_.attribute_cell(node);
  change.attributes = stage_.node(node).attributes;
  return change;
}

/// Before a new name of NODE, renamed from FROM or linked (null), is put in DRAFT. What goes
/// with the log along with it becomes part of the same unit.
void UnitExpander::new_name_in_log(const Place& to, NodeId node, const Place* from, Draft& draft) {
  if (!log_) return;
  draft.in_log = log_->takes_new_name_of(node, from != nullptr ? from->parent : kNoNode);
  if (!draft.in_log) {
    // The name that is replaced leaves the log nevertheless.
    if (to.node != kNoNode) left_log(to, log_->end_of(name_of(to), to.node));
    return;
  }
  const BtrfsLog::Name old = name_of(from != nullptr ? *from : to);
  for (const Node::Link& name :
       log_->companions_of(name_of(to), node, from != nullptr ? &old : nullptr)) {
    const NodeId holder = log_->holder_of(name);
    const auto change = builder_.name_again(name.parent, stage_.name(name.name), holder);
    if (change) draft.changes.push_back(*change);
    if (holder == kNoNode) continue;
    state_with_name(holder, draft);
    log_->put_in_log(holder);
  }
  state_with_name(node, draft);
}

/// What goes with the log along with a name of NODE.
void UnitExpander::state_with_name(NodeId node, Draft& draft) {
  if (const auto cut = log_->cut_of(node)) draft.changes.push_back(cut_change(*cut));
  if (log_->takes_attributes_of(node)) draft.changes.push_back(attributes_change(node));
}

/// A unit of what the log loses, if it does: whatever takes the name away may not be on disk.
void UnitExpander::left_log(const Place& place, const BtrfsLog::End& end) {
  if (!end.in_log) return;
  Draft draft;
  draft.in_log = true;
  draft.unit.kind = UnitKind::kRemoval;
  draft.unit.node = place.node;
  draft.unit.parent = place.parent;
  end_name(place, end, draft);
  builder_.add(std::move(draft), MetadataOrder::kWithin);
}

/// The end of a name; where an older file comes back to it, that; and names that come back with it.
void UnitExpander::end_name(const Place& place, const BtrfsLog::End& end, Draft& draft) {
  UnitChange change = builder_.name_change(place.parent, place.name, kNoNode, draft);
  if (end.comes_back != kNoNode) {
    change.what = UnitChange::What::kRestoreName;
    change.node = end.comes_back;
    change.offset = end.given_by;
    builder_.reveal(end.given_by);
  }
  draft.changes.push_back(change);
  set_others(end, place.node, draft);
}

/// Gives the names that come back with END to NODE, or takes them (kNoNode).
void UnitExpander::set_others(const BtrfsLog::End& end, NodeId node, Draft& draft) {
  for (const BtrfsLog::Name& name : end.others) {
    const auto change = builder_.name_again(name.parent, stage_.name(name.name), node);
    if (change) draft.changes.push_back(*change);
  }
}

/// Where the log brings something back to names, only a commit takes that away.
void UnitExpander::end_in_order(const Place& place, const BtrfsLog::End& end) {
  if (!end.brings_back()) return;
  Draft draft;
  draft.unit.kind = UnitKind::kRemoval;
  draft.unit.node = end.comes_back != kNoNode ? end.comes_back : place.node;
  draft.unit.parent = place.parent;
  draft.changes.push_back(builder_.name_change(place.parent, place.name, kNoNode, draft));
  set_others(end, kNoNode, draft);
  builder_.add(std::move(draft), MetadataOrder::kWithin);
}

/// After a rename.
void UnitExpander::moved_in_log(const Place& from, const Place& to, const Renamed& units,
                                bool in_log) {
  if (!log_) return;
  const bool across = from.parent != to.parent;
  log_->set_name(name_of(from), from.node, kNoNode, {units.departed, units.departed});
  log_->set_name(name_of(to), to.node, from.node, {units.arrived, units.departed});
  if (across || !stage_.node(from.node).is_directory()) log_->moved(from.node, units.departed);
  if (to.node != kNoNode) log_->moved(to.node, units.arrived);
  if (in_log) {
    log_->put_move_in_log(from.node, builder_.next_unit());
  } else if (across) {
    log_->moved_out_of(from.parent, units.departed);
  }
}

}  // namespace everycrash
