// Units of names: creation, link, removal, rename.
#include "harness/model/unit_expander.h"

namespace everycrash {

void UnitExpander::made_name(const Operation& operation, const Place& place, NodeId node) {
  Draft draft;
  draft.unit.kind = UnitKind::kEntry;
  draft.unit.node = node;
  draft.unit.parent = place.parent;
  draft.in_log = operation.kind == Kind::kLink && builder_.memory(node).logged;
  draft.effects.push_back(builder_.name_effect(place.parent, place.name, node, draft));
  const UnitId id = builder_.add(std::move(draft), true, true);
  builder_.memory(place.parent).droppable.push_back(id);
  // A file that is ever hard-linked can show its content without its first name.
  if (operation.kind == Kind::kLink) {
    builder_.memory(node).linked = true;
  } else if (!builder_.memory(node).linked) {
    builder_.memory(node).named = id;
  }
}

void UnitExpander::last_name_gone(NodeId node, UnitId by) {
  NodeMemory& memory = builder_.memory(node);
  // A file that ever had two names may keep the other one: the removal of that one can be lost.
  if (memory.linked) return;
  for (const UnitId unit : memory.droppable) builder_.drop(unit, by);
  memory.droppable.clear();
}

void UnitExpander::removed_name(const Place& place) {
  Draft draft;
  draft.unit.kind = UnitKind::kRemoval;
  draft.unit.node = place.node;
  draft.unit.parent = place.parent;
  draft.effects.push_back(builder_.name_effect(place.parent, place.name, kNoNode, draft));
  const UnitId id = builder_.add(std::move(draft), true, true);
  builder_.memory(place.parent).droppable.push_back(id);
  if (stage_.node(place.node).links.empty()) last_name_gone(place.node, id);
}

void UnitExpander::renamed(const Operation& operation, const Place& from, const Place& to) {
  if (operation.has(format::kExchange)) {
    exchanged(from, to);
    return;
  }
  const PersistenceRules& rules = builder_.rules();
  std::vector<UnitId> flushed;
  if (to.node != kNoNode && rules.at_replace != Flush::kNothing) {
    NodeMemory& memory = builder_.memory(from.node);
    for (const UnitId unit : memory.unflushed) {
      const bool size = builder_.unit(unit).kind == UnitKind::kSize;
      if (rules.at_replace == Flush::kData || size) flushed.push_back(unit);
    }
    if (rules.at_replace == Flush::kData) memory.unflushed.clear();
  }
  if (rules.splits_cross_rename && from.parent != to.parent) {
    renamed_across(from, to, std::move(flushed));
    return;
  }
  Draft draft;
  draft.before = std::move(flushed);
  draft.unit.kind = UnitKind::kRename;
  draft.unit.node = from.node;
  draft.unit.parent = to.parent;
  draft.unit.old_parent = from.parent;
  draft.in_log = builder_.memory(from.node).logged;
  draft.effects.push_back(builder_.name_effect(from.parent, from.name, kNoNode, draft));
  draft.effects.push_back(builder_.name_effect(to.parent, to.name, from.node, draft));
  const UnitId id = builder_.add(std::move(draft), true, true);
  if (from.parent == to.parent) builder_.memory(to.parent).droppable.push_back(id);
  if (to.node != kNoNode && stage_.node(to.node).links.empty()) last_name_gone(to.node, id);
}

/// The new name first: what a sync of the new folder carries is that half (persistence.md 4.7 l).
void UnitExpander::renamed_across(const Place& from, const Place& to, std::vector<UnitId> flushed) {
  Draft arrival;
  arrival.before = std::move(flushed);
  arrival.unit.kind = UnitKind::kEntry;
  arrival.unit.node = from.node;
  arrival.unit.parent = to.parent;
  arrival.in_log = builder_.memory(from.node).logged;
  arrival.effects.push_back(builder_.name_effect(to.parent, to.name, from.node, arrival));
  const UnitId arrived = builder_.add(std::move(arrival), true, true);
  Draft departure;
  departure.unit.kind = UnitKind::kRemoval;
  departure.unit.node = from.node;
  departure.unit.parent = from.parent;
  departure.in_log = builder_.memory(from.node).logged;
  departure.effects.push_back(builder_.name_effect(from.parent, from.name, kNoNode, departure));
  const UnitId departed = builder_.add(std::move(departure), true, true);
  builder_.make_partners(arrived, departed);
  builder_.memory(from.node).linked = true;
  if (to.node != kNoNode && stage_.node(to.node).links.empty()) last_name_gone(to.node, arrived);
}

/// Where a sync carries one file or folder alone, what is renamed or linked later in the same
/// transaction is carried with the next sync of anything.
void UnitExpander::synced(const Operation& operation, NodeId node) {
  const PersistenceRules& rules = builder_.rules();
  if (!rules.metadata_in_order || rules.sync != SyncReach::kItsNames || node == kNoNode) return;
  if (operation.has(format::kLost)) return;
  builder_.memory(node).logged = true;
  for (const auto& [name, child] : stage_.node(node).entries) builder_.memory(child).logged = true;
}

void UnitExpander::exchanged(const Place& from, const Place& to) {
  Draft draft;
  draft.unit.kind = UnitKind::kRename;
  draft.unit.node = from.node;
  draft.unit.parent = to.parent;
  draft.unit.old_parent = from.parent;
  draft.effects.push_back(builder_.name_effect(from.parent, from.name, to.node, draft));
  draft.effects.push_back(builder_.name_effect(to.parent, to.name, from.node, draft));
  builder_.add(std::move(draft), true, true);
}

}  // namespace everycrash
