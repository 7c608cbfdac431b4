// What one recorded operation does to the state directory, whole (or, for a write, cut short).
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/falloc.h>
#include <linux/posix_acl.h>
#include <sys/stat.h>

#include <cstring>

#include "harness/base/path_text.h"
#include "harness/model/file_system.h"
#include "harness/trace/trace.h"

namespace everycrash {
namespace {

/// Of a kind that has a row in the table of kinds and nothing here.
constexpr std::string_view kUnknown = "this everycrash does not know what it does";

tl::unexpected<Error> does_not_fit(const Operation& operation, std::string_view why) {
  return harness_error(
      fmt::format("record {} ({}) does not fit what was recorded before it: {}\n"
                  "Something changed the state directory without being recorded; does another "
                  "program write to it?",
                  operation.sequence, describe(operation), why));
}

uint32_t with_type(uint32_t mode, uint32_t type) {
  return (mode & S_IFMT) != 0 ? mode : (mode & 07777) | type;
}

/// An access ACL stands for the permission bits, too, and is nothing beside them if it has only the
/// entries for owner, group and others (acl(5); layout as in <linux/posix_acl_xattr.h>).
void set_access_list(Attributes& attributes, const std::string& name, std::string_view value) {
  struct Entry {
    uint16_t tag, permissions;
    uint32_t id;
  };
  constexpr size_t kHeader = 4;
  uint32_t owner = 0, group = 0, mask = ~0U, others = 0;
  for (size_t at = kHeader; at + sizeof(Entry) <= value.size(); at += sizeof(Entry)) {
    Entry entry{};
    std::memcpy(&entry, value.data() + at, sizeof entry);
    if (entry.tag == ACL_USER_OBJ) owner = entry.permissions;
    if (entry.tag == ACL_GROUP_OBJ) group = entry.permissions;
    if (entry.tag == ACL_MASK) mask = entry.permissions;
    if (entry.tag == ACL_OTHER) others = entry.permissions;
  }
  if (mask != ~0U) group = mask;
  attributes.mode = (attributes.mode & ~0777U) | owner << 6 | group << 3 | others;
  attributes.extended.erase(name);
  if (value.size() > kHeader + 3 * sizeof(Entry)) attributes.extended[name] = value;
}

Attributes attributes_of(const Operation& operation, uint32_t type) {
  Attributes attributes;
  attributes.mode = with_type(operation.mode, type);
  attributes.owner = operation.owner;
  attributes.group = operation.group;
  attributes.device = static_cast<uint64_t>(operation.other_offset);
  return attributes;
}

}  // namespace

Result<FileSystem> FileSystem::initial(const Trace& trace) {
  FileSystem tree;
  NodeId filling = kNoNode;
  int64_t filled = 0;
  for (const Operation& record : trace.records()) {
    if (record.kind == Kind::kPayloadChunk) {
      if (filling == kNoNode) return does_not_fit(record, "content without a file");
      tree.write(filling, filled, record.payload);
      filled += static_cast<int64_t>(record.payload.size());
    } else if (record.kind == Kind::kInitialAttribute) {
      const NodeId node = tree.by_inode(record.inode);
      if (node == kNoNode) return does_not_fit(record, "an attribute without a file");
      Attributes attributes = *tree.node(node).attributes;
      attributes.extended[std::string(record.other_path)] = record.payload;
      tree.set_attributes(node, attributes);
    } else if (record.kind == Kind::kInitial && record.path.empty()) {
      tree.set_attributes(kRootNode, attributes_of(record, S_IFDIR));
      tree.bind_inode(record.inode, kRootNode);
    } else if (record.kind == Kind::kInitial) {
      Result<Place> place = tree.place_of(record.path, record);
      if (!place) return tl::unexpected(place.error());
      NodeId node = tree.by_inode(record.inode);
      if (node == kNoNode) {
        const bool link = S_ISLNK(record.mode);
        node = tree.create(attributes_of(record, S_IFREG), link ? record.payload : "");
        if (!link) tree.write(node, 0, record.payload);
        filling = node;
        filled = static_cast<int64_t>(record.payload.size());
        tree.bind_inode(record.inode, node);
      }
      tree.set_entry(place->parent, place->name, node);
    }
  }
  return tree;
}

Result<FileSystem::Place> FileSystem::place_of(std::string_view path, const Operation& operation) {
  const NodeId parent = find(folder_of(path));
  if (parent == kNoNode || !nodes_[parent].is_directory()) {
    return does_not_fit(operation, fmt::format("there is no folder '{}'", folder_of(path)));
  }
  return Place{parent, name_id(base_name(path))};
}

NodeId FileSystem::at(const Place& place) const {
  const auto& entries = nodes_[place.parent].entries;
  const auto found = entries.find(place.name);
  return found == entries.end() ? kNoNode : found->second;
}

Result<NodeId> FileSystem::target_of(const Operation& operation) const {
  const NodeId node = by_inode(operation.inode);
  if (node == kNoNode)
    return does_not_fit(operation, fmt::format("inode {} is not known", operation.inode));
  return node;
}

void FileSystem::forget_times(NodeId id) {
  if (!nodes_[id].attributes->times) return;
  Attributes attributes = *nodes_[id].attributes;
  attributes.times.reset();
  set_attributes(id, attributes);
}

/// The kernel frees the content of a file with its last name and descriptor. Without a name it can
/// come back to no crash state of a killed process, so its pages need not be kept.
void FileSystem::release_if_nameless(NodeId id) {
  if (logging_ || !nodes_[id].links.empty() || !nodes_[id].is_file()) return;
  nodes_[id].pages.clear();
  nodes_[id].sum = {};
}

Status FileSystem::apply(const Operation& operation) {
  if (operation.failed()) return {};
  switch (operation.kind) {
    case Kind::kOpen:
      return apply_open(operation);
    case Kind::kWrite:
    case Kind::kMapWrite:
      return apply_cut_write(operation, static_cast<int64_t>(operation.payload.size()));
    case Kind::kRename:
      return apply_rename(operation);
    case Kind::kLink:
      return apply_link(operation);
    case Kind::kUnlink:
    case Kind::kRemoveDirectory:
      return apply_removal(operation);
    case Kind::kMakeDirectory:
      return apply_creation(operation, S_IFDIR);
    case Kind::kSymlink:
      return apply_creation(operation, S_IFLNK);
    case Kind::kMakeNode:
      return apply_creation(operation, S_IFREG);
    default:
      break;
  }
  if (traits_of(operation.kind).has(kMakesPath | kMakesOther | kTakesPath)) {
    return does_not_fit(operation, kUnknown);
  }
  if (!changes_content(operation.kind) && !changes_attributes(operation.kind)) return {};
  const Result<NodeId> node = target_of(operation);
  if (!node) return tl::unexpected(node.error());
  if (operation.kind == Kind::kTruncate) {
    set_size(*node, operation.length);
    forget_times(*node);
    return {};
  }
  if (operation.kind == Kind::kAllocate) return apply_allocate(operation, *node);
  return apply_attribute(operation, *node);
}

Status FileSystem::apply_cut_write(const Operation& operation, int64_t bytes) {
  const Result<NodeId> node = target_of(operation);
  if (!node) return tl::unexpected(node.error());
  if (bytes > static_cast<int64_t>(operation.payload.size())) {
    return does_not_fit(operation, "its payload is shorter than what was written");
  }
  write(*node, operation.offset, operation.payload.substr(0, static_cast<size_t>(bytes)));
  if (bytes > 0) forget_times(*node);
  return {};
}

Status FileSystem::apply_open(const Operation& operation) {
  if (operation.has(format::kCreated)) {
    if (operation.has(format::kNameless)) {
      bind_inode(operation.inode, create(attributes_of(operation, S_IFREG)));
      return {};
    }
    return apply_creation(operation, S_IFREG);
  }
  if (!operation.has(format::kTruncated)) return {};
  const Result<NodeId> node = target_of(operation);
  if (!node) return tl::unexpected(node.error());
  set_size(*node, 0);
  forget_times(*node);
  return {};
}

Status FileSystem::apply_creation(const Operation& operation, uint32_t type) {
  const Result<Place> place = place_of(operation.path, operation);
  if (!place) return tl::unexpected(place.error());
  if (at(*place) != kNoNode) return does_not_fit(operation, "the name exists already");
  const std::string_view target = type == S_IFLNK ? operation.payload : "";
  Attributes attributes = attributes_of(operation, type);
  if (type == S_IFLNK) attributes.mode = S_IFLNK | 0777;
  const NodeId node = create(attributes, target);
  set_entry(place->parent, place->name, node);
  bind_inode(operation.inode, node);
  return {};
}

Status FileSystem::apply_rename(const Operation& operation) {
  if (operation.has(format::kUnlinked)) return apply_arrival(operation);
  const Result<Place> from = place_of(operation.path, operation);
  if (!from) return tl::unexpected(from.error());
  const Result<Place> to = place_of(operation.other_path, operation);
  if (!to) return tl::unexpected(to.error());
  const NodeId moved = at(*from);
  const NodeId replaced = at(*to);
  if (moved == kNoNode) return does_not_fit(operation, "the old name does not exist");
  if (moved != by_inode(operation.inode))
    return does_not_fit(operation, "the old name is another file");
  if (moved == replaced) return {};  // two names of one file: rename(2) does nothing
  if (operation.has(format::kExchange)) {
    if (replaced == kNoNode) return does_not_fit(operation, "the new name does not exist");
    clear_entry(from->parent, from->name);
    set_entry(to->parent, to->name, moved);
    set_entry(from->parent, from->name, replaced);
    return {};
  }
  clear_entry(from->parent, from->name);
  set_entry(to->parent, to->name, moved);
  if (replaced != kNoNode) release_if_nameless(replaced);
  return {};
}

/// A rename from outside: the file was made nameless before, and may replace another one.
Status FileSystem::apply_arrival(const Operation& operation) {
  const Result<NodeId> node = target_of(operation);
  if (!node) return tl::unexpected(node.error());
  const Result<Place> to = place_of(operation.other_path, operation);
  if (!to) return tl::unexpected(to.error());
  const NodeId replaced = at(*to);
  set_entry(to->parent, to->name, *node);
  if (replaced != kNoNode) release_if_nameless(replaced);
  return {};
}

Status FileSystem::apply_link(const Operation& operation) {
  const Result<NodeId> node = target_of(operation);
  if (!node) return tl::unexpected(node.error());
  const Result<Place> to = place_of(operation.other_path, operation);
  if (!to) return tl::unexpected(to.error());
  if (at(*to) != kNoNode) return does_not_fit(operation, "the new name exists already");
  set_entry(to->parent, to->name, *node);
  return {};
}

Status FileSystem::apply_removal(const Operation& operation) {
  if (operation.path.empty()) return {};  // the state directory itself: nothing below it is left
  const Result<Place> place = place_of(operation.path, operation);
  if (!place) return tl::unexpected(place.error());
  const NodeId node = at(*place);
  if (node == kNoNode) return does_not_fit(operation, "the name does not exist");
  if (node != by_inode(operation.inode)) return does_not_fit(operation, "the name is another file");
  clear_entry(place->parent, place->name);
  release_if_nameless(node);
  return {};
}

/// fallocate(2), "Allocating disk space" and the modes below it.
Status FileSystem::apply_allocate(const Operation& operation, NodeId node) {
  const int64_t offset = operation.offset;
  const int64_t length = operation.length;
  const int64_t size = nodes_[node].size;
  const bool keep_size = (operation.mode & FALLOC_FL_KEEP_SIZE) != 0;
  forget_times(node);
  if ((operation.mode & FALLOC_FL_COLLAPSE_RANGE) != 0) {
    const std::string rest = content(node).substr(static_cast<size_t>(offset + length));
    set_size(node, offset);
    write(node, offset, rest);
  } else if ((operation.mode & FALLOC_FL_INSERT_RANGE) != 0) {
    const std::string rest = content(node).substr(static_cast<size_t>(offset));
    set_size(node, offset);
    set_size(node, size + length);
    write(node, offset + length, rest);
  } else {
    if ((operation.mode & (FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE)) != 0)
      zero(node, offset, length);
    if (!keep_size && offset + length > size) set_size(node, offset + length);
  }
  return {};
}

Status FileSystem::apply_attribute(const Operation& operation, NodeId node) {
  Attributes attributes = *nodes_[node].attributes;
  const std::string name(operation.other_path);
  switch (operation.kind) {
    case Kind::kChangeMode:
      attributes.mode = (attributes.mode & S_IFMT) | (operation.mode & 07777);
      break;
    case Kind::kChangeOwner:
      if (operation.owner != UINT32_MAX) attributes.owner = operation.owner;
      if (operation.group != UINT32_MAX) attributes.group = operation.group;
      break;
    case Kind::kChangeTimes:
      if (operation.payload.size() != sizeof(format::Times))
        return does_not_fit(operation, "no times");
      attributes.times.emplace();
      std::memcpy(&*attributes.times, operation.payload.data(), sizeof(format::Times));
      break;
    case Kind::kSetAttribute:
      if (name == "system.posix_acl_access") {
        set_access_list(attributes, name, operation.payload);
        break;
      }
      attributes.extended[name] = operation.payload;
      break;
    case Kind::kRemoveAttribute:
      attributes.extended.erase(name);
      break;
    default:
      return does_not_fit(operation, kUnknown);
  }
  set_attributes(node, attributes);
  return {};
}

}  // namespace everycrash
