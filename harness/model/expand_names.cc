// Units of names: creation, link, removal, rename.
#include "harness/model/unit_expander.h"
#include "harness/trace/trace.h"

namespace everycrash {

void UnitExpander::made_name(const Operation& operation, const Place& place, NodeId node) {
  const bool is_new = operation.kind != Kind::kLink;
  Draft draft;
  draft.unit.kind = UnitKind::kEntry;
  draft.unit.node = node;
  draft.unit.parent = place.parent;
  if (!is_new) new_name_in_log(place, node, nullptr, draft);
  draft.changes.push_back(builder_.name_change(place.parent, place.name, node, draft));
  const bool in_log = draft.in_log;
  const UnitId id = builder_.add(std::move(draft), MetadataOrder::kWithin);
  builder_.memory(place.parent).droppable.push_back(id);
  // A file that is ever hard-linked can show its content without its first name.
  if (!is_new) {
    builder_.memory(node).linked = true;
  } else if (!builder_.memory(node).linked) {
    builder_.memory(node).named = id;
  }
  if (!log_) return;
  log_->set_name(name_of(place), place.node, node, {id, id});
  if (is_new) {
    log_->made(node, id);
  } else {
    log_->moved(node, id);
  }
  if (in_log) log_->put_in_log(node);
}

void UnitExpander::last_name_gone(NodeId node, UnitId by) {
  NodeMemory& memory = builder_.memory(node);
  // A file that ever had two names may keep the other one: the removal of that one can be lost.
  if (memory.linked) return;
  for (const UnitId unit : memory.droppable) builder_.drop(unit, by);
  memory.droppable.clear();
}

void UnitExpander::removed_name(const Place& place) {
  BtrfsLog::End end;
  if (log_) end = log_->end_of(name_of(place), place.node);
  if (end.brings_back()) left_log(place, end);
  Draft draft;
  draft.unit.kind = UnitKind::kRemoval;
  draft.unit.node = place.node;
  draft.unit.parent = place.parent;
  draft.in_log = end.in_log && !end.brings_back();
  draft.changes.push_back(builder_.name_change(place.parent, place.name, kNoNode, draft));
  set_others(end, kNoNode, draft);
  const UnitId id = builder_.add(std::move(draft), MetadataOrder::kWithin);
  builder_.memory(place.parent).droppable.push_back(id);
  if (stage_.node(place.node).links.empty()) last_name_gone(place.node, id);
  if (!log_) return;
  log_->set_name(name_of(place), place.node, kNoNode, {id, id});
  log_->moved(place.node, id);
}

void UnitExpander::renamed(const Operation& operation, const Place& from, const Place& to) {
  if (operation.has(format::kExchange)) {
    exchanged(from, to);
    return;
  }
  const PersistenceRules& rules = builder_.rules();
  Draft draft;
  if (to.node != kNoNode && rules.at_replace != Flush::kNothing && is_flushed_early(from.node)) {
    NodeMemory& memory = builder_.memory(from.node);
    for (const UnitId unit : memory.unflushed) {
      const bool size = builder_.unit(unit).kind == UnitKind::kSize;
      if (rules.at_replace == Flush::kData || size) draft.before.push_back(unit);
    }
    if (rules.at_replace == Flush::kData) memory.unflushed.clear();
  }
  draft.unit.node = from.node;
  draft.unit.parent = to.parent;
  new_name_in_log(to, from.node, &from, draft);
  const bool in_log = draft.in_log;
  const bool splits = rules.log_tree && from.parent != to.parent;
  const Renamed units = splits ? renamed_across(from, to, std::move(draft))
                               : renamed_in_one_step(from, to, std::move(draft));
  if (to.node != kNoNode && stage_.node(to.node).links.empty()) {
    last_name_gone(to.node, units.arrived);
  }
  moved_in_log(from, to, units, in_log);
}

UnitExpander::Renamed UnitExpander::renamed_in_one_step(const Place& from, const Place& to,
                                                        Draft draft) {
  BtrfsLog::End end;
  const bool in_log = draft.in_log;
  if (in_log) {
    end = log_->end_of_renamed(name_of(from), from.node);
  } else if (log_) {
    end = log_->end_of_new(name_of(from));
    // Only where a unit of its own took the name from the older file, and so says when it is gone.
    const bool apart = end.brings_back() && builder_.unit(end.first).kind == UnitKind::kRemoval;
    if (!apart) end = {};
  }
  draft.unit.kind = UnitKind::kRename;
  draft.unit.old_parent = from.parent;
  end_name(from, end, draft);
  draft.changes.push_back(builder_.name_change(to.parent, to.name, from.node, draft));
  const UnitId id = builder_.add(std::move(draft), MetadataOrder::kWithin);
  if (from.parent == to.parent) builder_.memory(to.parent).droppable.push_back(id);
  if (in_log) end_in_order(from, end);
  return {id, id};
}

/// The new name first: what a sync of the new folder carries is that half (persistence.md 4.7 l).
UnitExpander::Renamed UnitExpander::renamed_across(const Place& from, const Place& to,
                                                   Draft arrival) {
  BtrfsLog::End end;
  if (arrival.in_log) end = log_->end_of_renamed(name_of(from), from.node);
  Draft departure;
  departure.in_log = arrival.in_log;
  arrival.unit.kind = UnitKind::kEntry;
  arrival.changes.push_back(builder_.name_change(to.parent, to.name, from.node, arrival));
  const UnitId arrived = builder_.add(std::move(arrival), MetadataOrder::kWithin);
  departure.unit.kind = UnitKind::kRemoval;
  departure.unit.node = from.node;
  departure.unit.parent = from.parent;
  end_name(from, end, departure);
  const UnitId departed = builder_.add(std::move(departure), MetadataOrder::kWithin);
  builder_.make_partners(arrived, departed);
  builder_.memory(from.node).linked = true;
  end_in_order(from, end);
  return {arrived, departed};
}

void UnitExpander::exchanged(const Place& from, const Place& to) {
  Draft draft;
  draft.unit.kind = UnitKind::kRename;
  draft.unit.node = from.node;
  draft.unit.parent = to.parent;
  draft.unit.old_parent = from.parent;
  draft.changes.push_back(builder_.name_change(from.parent, from.name, to.node, draft));
  draft.changes.push_back(builder_.name_change(to.parent, to.name, from.node, draft));
  const UnitId id = builder_.add(std::move(draft), MetadataOrder::kWithin);
  if (!log_) return;
  log_->set_name(name_of(from), from.node, to.node, {id, id});
  log_->set_name(name_of(to), to.node, from.node, {id, id});
  for (const Place& place : {from, to}) {
    log_->moved(place.node, id);
    if (from.parent != to.parent) log_->moved_out_of(place.parent, id);
  }
}

}  // namespace everycrash
