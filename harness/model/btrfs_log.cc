#include "harness/model/btrfs_log.h"

#include <algorithm>

namespace everycrash {

void BtrfsLog::set_name(Name name, NodeId before, NodeId node, Step step) {
  const auto [it, fresh] = changes_.try_emplace({name.parent, name.name});
  Change& change = it->second;
  if (fresh) {
    change.committed = before;
    change.first = step.unit;
    if (before != kNoNode) inodes_[before].folders.push_back(name.parent);
  }
  change.last = step;
  change.in_log = false;
  inodes_[name.parent].inside.push_back(step.unit);
  inodes_[name.parent].fresh.push_back(name.name);
  touched(name.parent);
  // A rename over a name is a move of the file that is renamed.
  const NodeId whose = node != kNoNode ? node : before;
  inodes_[whose].moves.push_back({step.unit, name.parent});
  touched(whose);
  if (before != kNoNode) touched(before);
}

void BtrfsLog::put_in_log(NodeId node) {
  Inode& inode = inodes_[node];
  const int64_t size = tree_.node(node).size;
  inode.size_in_log = inode.logged ? std::min(inode.size_in_log, size) : size;
  inode.logged = true;
  for (const Name& name : tree_.node(node).links) {
    const auto change = changes_.find({name.parent, name.name});
    if (change != changes_.end()) change->second.in_log = true;
  }
}

void BtrfsLog::put_move_in_log(NodeId node, UnitId units) {
  const bool was_logged = is_logged(node);
  put_in_log(node);
  if (!was_logged) return;
  for (const NodeId folder : old_folders(node)) {
    if (is_logged(folder) || inode(folder) == nullptr) continue;
    for (const Name& name : log_as_a_whole(folder, units)) put_in_log(holder_of(name));
  }
}

std::vector<BtrfsLog::Name> BtrfsLog::log_as_a_whole(NodeId folder, UnitId units) {
  Inode& inode = inodes_[folder];
  inode.logged = true;
  inode.whole_until = units;
  std::vector<Name> found;
  for (const uint32_t name : inode.fresh) {
    if (holder_of({folder, name}) == kNoNode) continue;
    changes_.at({folder, name}).in_log = true;
    found.push_back({folder, name});
  }
  inode.fresh.clear();
  return found;
}

NodeId BtrfsLog::holder_of(Name name) const {
  const auto& entries = tree_.node(name.parent).entries;
  const auto found = entries.find(name.name);
  return found == entries.end() ? kNoNode : found->second;
}

void BtrfsLog::resized(NodeId node, int64_t before, int64_t size) {
  if (size == before) return;
  Inode& inode = inodes_[node];
  inode.largest = std::max({inode.largest, before, size});
}

std::optional<BtrfsLog::Cut> BtrfsLog::cut_of(NodeId node) const {
  const Inode* known = inode(node);
  const int64_t size = tree_.node(node).size;
  if (known == nullptr || size >= known->largest) return std::nullopt;
  if (known->logged ? size >= known->size_in_log : size == 0) return std::nullopt;
  return Cut{node, size};
}

bool BtrfsLog::takes_attributes_of(NodeId node) const {
  const Inode* known = inode(node);
  if (known == nullptr || !known->attributes_changed) return false;
  return known->logged || known->made != kNoUnit;
}

void BtrfsLog::forget() {
  changes_.clear();
  inodes_.clear();
}

const BtrfsLog::Change* BtrfsLog::change_of(Name name) const {
  const auto found = changes_.find({name.parent, name.name});
  return found == changes_.end() ? nullptr : &found->second;
}

const BtrfsLog::Inode* BtrfsLog::inode(NodeId node) const {
  const auto found = inodes_.find(node);
  return found == inodes_.end() ? nullptr : &found->second;
}

bool BtrfsLog::is_logged(NodeId node) const {
  const Inode* known = inode(node);
  return known != nullptr && known->logged;
}

bool BtrfsLog::has_name_in(NodeId node, NodeId folder) const {
  const std::vector<Name>& links = tree_.node(node).links;
  return std::any_of(links.begin(), links.end(),
                     [folder](const Name& name) { return name.parent == folder; });
}

/// Where the last transaction has names of NODE.
std::vector<NodeId> BtrfsLog::old_folders(NodeId node) const {
  std::vector<NodeId> folders;
  if (const Inode* known = inode(node)) folders = known->folders;
  for (const Name& name : tree_.node(node).links) {
    if (change_of(name) == nullptr) folders.push_back(name.parent);
  }
  return folders;
}

/// What one sync puts in the log. UNTIL is the unit for whose sake something is logged: what came
/// later may have come after a commit, and then it is not.
class BtrfsLog::Logging {
 public:
  Logging(BtrfsLog& log, UnitId units) : log_(log), tree_(log.tree_), units_(units) {}

  Synced run(NodeId node) {
    const Inode* inode = log_.inode(node);
    if (inode == nullptr || !inode->changed) return {};  // it is not logged at all
    log_.put_in_log(node);
    Inode& own = log_.inodes_[node];
    own.size_in_log = own.largest = tree_.node(node).size;
    own.attributes_changed = false;
    own.moves.clear();  // its own names go with it
    if (tree_.node(node).links.empty() && node != kRootNode) return {};
    take_other_holders(node, units_);
    if (tree_.node(node).is_directory()) take_folder(node, units_);
    take_old_folders(node);
    for (const Name& name : tree_.node(node).links) take_way_to(name.parent);
    std::sort(found_.names.units.begin(), found_.names.units.end());
    return std::move(found_);
  }

 private:
  /// Rule 2.
  void take_old_folders(NodeId node) {
    const UnitId moved = log_.inodes_[node].moved;
    if (moved == kNoUnit) return;
    for (const NodeId folder : log_.old_folders(node)) {
      const Inode* inode = log_.inode(folder);
      if (inode != nullptr && inode->changed) take_folder(folder, moved);
    }
  }

  /// Rules 3 and 5.
  void take_folder(NodeId folder, UnitId until) {
    Inode& inode = log_.inodes_[folder];
    for (const UnitId unit : {inode.moved_out, inode.moved}) {
      if (unit == kNoUnit) continue;
      UnitId& committed = found_.names.committed;
      committed = std::max(committed, std::min(until, unit) + 1);
    }
    std::erase_if(inode.inside, [&](UnitId unit) {
      if (unit <= until) found_.names.units.push_back(unit);
      return unit <= until;
    });
    for (const Name& name : log_.log_as_a_whole(folder, units_)) {
      const UnitId last = log_.change_of(name)->last.last;
      if (last > until) found_.later.push_back(name);
      take_names(log_.holder_of(name), std::min(until, last));
    }
  }

  /// A file or folder that is logged for the sake of another one.
  void take_names(NodeId node, UnitId until) {
    if (log_.is_logged(node)) return;
    take_state(node);
    log_.put_in_log(node);
    std::erase_if(log_.inodes_[node].moves, [&](const Move& move) {
      if (move.unit > until || !log_.has_name_in(node, move.folder)) return false;
      found_.names.units.push_back(move.unit);
      return true;
    });
    take_other_holders(node, until);
    if (tree_.node(node).is_directory()) take_folder(node, until);
  }

  /// Rule 8.
  void take_state(NodeId node) {
    if (const auto cut = log_.cut_of(node)) found_.cuts.push_back(*cut);
    if (log_.takes_attributes_of(node)) found_.attributes.push_back(node);
  }

  /// Rule 4.
  void take_other_holders(NodeId node, UnitId until) {
    for (const Name& name : tree_.node(node).links) {
      const Change* change = log_.change_of(name);
      if (change == nullptr || change->committed == kNoNode || change->committed == node) continue;
      const NodeId other = change->committed;
      if (!tree_.node(other).links.empty()) take_names(other, std::min(until, change->first));
    }
  }

  /// Rule 1: new folders on the way.
  void take_way_to(NodeId folder) {
    for (; folder != kRootNode; folder = tree_.node(folder).links.front().parent) {
      if (tree_.node(folder).links.empty()) return;
      const Inode* inode = log_.inode(folder);
      if (inode == nullptr || inode->made == kNoUnit) continue;
      for (const Move& move : inode->moves) found_.names.units.push_back(move.unit);
      log_.inodes_[folder].moves.clear();
      take_state(folder);
      log_.put_in_log(folder);
    }
  }

  BtrfsLog& log_;
  const FileSystem& tree_;
  UnitId units_;
  Synced found_;
};

BtrfsLog::Synced BtrfsLog::sync(NodeId node, UnitId units) {
  return Logging(*this, units).run(node);
}

bool BtrfsLog::takes_new_name_of(NodeId node, NodeId folder) const {
  return is_logged(node) || (folder != kNoNode && is_logged(folder));
}

std::vector<BtrfsLog::Name> BtrfsLog::companions_of(Name name, NodeId node,
                                                    const Name* from) const {
  std::vector<Name> found;
  NodeId folder = name.parent;
  while (folder != kRootNode && !tree_.node(folder).links.empty()) {
    const Name& link = tree_.node(folder).links.front();
    const Inode* known = inode(folder);
    if (known != nullptr && known->made != kNoUnit && !known->logged) found.push_back(link);
    folder = link.parent;
  }
  std::reverse(found.begin(), found.end());
  const Change* change = change_of(name);
  const NodeId other = change == nullptr ? kNoNode : change->committed;
  if (other != kNoNode && other != node && !is_logged(other)) {
    for (const Name& link : tree_.node(other).links) found.push_back(link);
  }
  const Inode* self = inode(node);
  if (self == nullptr || !self->logged || self->made != kNoUnit) return found;
  std::vector<NodeId> folders = self->folders;
  if (from != nullptr && change_of(*from) == nullptr) folders.push_back(from->parent);
  for (const Name& link : tree_.node(node).links) {
    if (link != name && change_of(link) == nullptr) folders.push_back(link.parent);
  }
  for (const NodeId old : folders) {
    const Inode* known = inode(old);
    if (known == nullptr || known->logged) continue;
    for (const uint32_t fresh : known->fresh) found.push_back({old, fresh});
  }
  return found;
}

BtrfsLog::End BtrfsLog::end_of(Name name, NodeId node) const {
  const Change* change = change_of(name);
  if (change != nullptr && change->in_log) return replayed(name, node, *change);
  // Nothing of this name is in the log; but another one of the file in this folder may be.
  return {.in_log = change == nullptr && is_logged(node) && has_name_in(node, name.parent)};
}

BtrfsLog::End BtrfsLog::end_of_renamed(Name name, NodeId node) const {
  const Change* change = change_of(name);
  return change == nullptr ? End{.in_log = true} : replayed(name, node, *change);
}

BtrfsLog::End BtrfsLog::end_of_new(Name name) const {
  const Change* change = change_of(name);
  if (change == nullptr || change->committed == kNoNode || change->first == change->last.unit) {
    return {};
  }
  const Inode* folder = inode(name.parent);
  if (folder != nullptr && folder->whole_until > change->first) return {};
  return {.comes_back = change->committed, .given_by = change->last.unit, .first = change->first};
}

/// What a replay makes of a name of NODE that is out of the log.
BtrfsLog::End BtrfsLog::replayed(Name name, NodeId node, const Change& change) const {
  End end{.in_log = true, .others = returning(node, name.parent)};
  const NodeId older = change.committed;
  if (older == kNoNode) return end;
  const Inode* folder = inode(name.parent);
  const bool gone_with_folder = folder != nullptr && folder->whole_until > change.first;
  const bool gone_with_file = is_logged(older) && has_name_in(older, name.parent);
  if (gone_with_folder || gone_with_file) return end;
  end.comes_back = older;
  end.given_by = change.last.unit;
  return end;
}

/// Names that the last transaction has of NODE in FOLDER and that were given up only with the log,
/// for another one in that folder. There is none left now.
std::vector<BtrfsLog::Name> BtrfsLog::returning(NodeId node, NodeId folder) const {
  std::vector<Name> found;
  const Inode* whole = inode(folder);
  if (!is_logged(node) || has_name_in(node, folder)) return found;
  for (const auto& [key, change] : changes_) {
    const Name name{key.first, key.second};
    const bool ended = change.committed == node && change.first == change.last.unit;
    if (name.parent != folder || !ended || holder_of(name) != kNoNode) continue;
    if (whole == nullptr || whole->whole_until <= change.first) found.push_back(name);
  }
  return found;
}

}  // namespace everycrash
