#include "harness/model/file_system.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstring>

namespace everycrash {
namespace {

// Seeds keep digests of different things apart.
enum Seed : uint64_t { kPageSeed = 1, kTextSeed, kEntrySeed, kNodeSeed, kPageSlotSeed };

constexpr int64_t kPage = static_cast<int64_t>(format::kPageSize);

bool is_zero(std::string_view bytes) {
  return bytes.empty() ||
         (bytes[0] == 0 && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

Digest digest_of_page(const Page& page) {
  return digest_of({page.data(), page.size()}, kPageSeed);
}

Digest slot_digest(uint64_t page, const Digest& content) {
  return digest_of_words(std::array<uint64_t, 3>{page, content.low, content.high}, kPageSlotSeed);
}

/// The digest of an attribute set, apart from what changes often.
Digest digest_of_attributes(const Attributes& attributes) {
  std::string text;
  const auto add = [&text](const void* data, size_t size) {
    text.append(static_cast<const char*>(data), size);
  };
  add(&attributes.mode, sizeof attributes.mode);
  add(&attributes.owner, sizeof attributes.owner);
  add(&attributes.group, sizeof attributes.group);
  add(&attributes.device, sizeof attributes.device);
  if (attributes.times) add(&*attributes.times, sizeof *attributes.times);
  for (const auto& [name, value] : attributes.extended) {
    const uint64_t sizes[] = {name.size(), value.size()};
    add(sizes, sizeof sizes);
    text += name;
    text += value;
  }
  return digest_of(text, kTextSeed);
}

}  // namespace

bool operator==(const Attributes& a, const Attributes& b) {
  const auto same_times = [&] {
    if (a.times.has_value() != b.times.has_value()) return false;
    return !a.times || std::memcmp(&*a.times, &*b.times, sizeof *a.times) == 0;
  };
  return a.mode == b.mode && a.owner == b.owner && a.group == b.group && a.device == b.device &&
         a.extended == b.extended && same_times();
}

bool Node::is_directory() const {
  return S_ISDIR(attributes->mode);
}
bool Node::is_file() const {
  return S_ISREG(attributes->mode);
}
bool Node::is_symlink() const {
  return S_ISLNK(attributes->mode);
}

FileSystem::FileSystem() : names_(std::make_shared<Names>()) {
  create(Attributes{.mode = S_IFDIR | 0755});
}

// -- Digests

Digest FileSystem::entry_digest(uint32_t name, const Digest& node) const {
  const Digest& text = names_->digests[name];
  return digest_of_words(std::array{text.low, text.high, node.low, node.high}, kEntrySeed);
}

/// Walks up from a changed node; every folder above takes the old digest of its child out of its
/// sum and puts the new one in. Folders form a tree, so this ends.
void FileSystem::refresh(NodeId id) {
  Node& node = nodes_[id];
  const Digest before = node.digest;
  const uint64_t links = node.is_directory() ? 1 : node.links.size();
  node.digest =
      digest_of_words(std::array{node.sum.low, node.sum.high, static_cast<uint64_t>(node.size),
                                 links, node.attributes_digest.low, node.attributes_digest.high,
                                 node.target_digest.low, node.target_digest.high},
                      kNodeSeed);
  if (node.digest == before) return;
  for (const Node::Link& link : node.links) {
    Digest& sum = nodes_[link.parent].sum;
    sum -= entry_digest(link.name, before);
    sum += entry_digest(link.name, node.digest);
  }
  for (const Node::Link& link : node.links) refresh(link.parent);
}

// -- Primitive changes: each logs its inverse and keeps the digests.

NodeId FileSystem::create(const Attributes& attributes, std::string_view target) {
  const auto id = static_cast<NodeId>(nodes_.size());
  Node node;
  node.attributes = std::make_shared<Attributes>(attributes);
  node.attributes_digest = digest_of_attributes(attributes);
  node.target = target;
  node.target_digest = digest_of(target, kTextSeed);
  nodes_.push_back(std::move(node));
  log(Creation{});
  refresh(id);
  return id;
}

bool FileSystem::is_at_or_above(NodeId node, NodeId below) const {
  while (below != node) {
    if (nodes_[below].links.empty()) return false;
    below = nodes_[below].links.front().parent;
  }
  return true;
}

void FileSystem::put_entry(NodeId parent, uint32_t name, NodeId node) {
  const auto found = nodes_[parent].entries.find(name);
  const NodeId before = found == nodes_[parent].entries.end() ? kNoNode : found->second;
  if (before == node) return;
  // A crash state can keep two moves that, taken together, put a folder into itself; no disk shows
  // such a folder below the root, so the second move is left out.
  if (node != kNoNode && nodes_[node].is_directory() && is_at_or_above(node, parent)) return;
  log(EntryChange{parent, name, before});
  if (before != kNoNode) {
    nodes_[parent].entries.erase(found);
    nodes_[parent].sum -= entry_digest(name, nodes_[before].digest);
    std::erase(nodes_[before].links, Node::Link{parent, name});
    refresh(before);
  }
  if (node != kNoNode) {
    nodes_[parent].entries[name] = node;
    nodes_[parent].sum += entry_digest(name, nodes_[node].digest);
    nodes_[node].links.push_back({parent, name});
    refresh(node);
  }
  refresh(parent);
}

void FileSystem::set_entry(NodeId parent, uint32_t name, NodeId node) {
  EVERYCRASH_ASSERT(node != kNoNode);
  put_entry(parent, name, node);
}

void FileSystem::clear_entry(NodeId parent, uint32_t name) {
  put_entry(parent, name, kNoNode);
}

void FileSystem::put_page(NodeId id, uint64_t page, Node::Held held) {
  Node& node = nodes_[id];
  const auto found = node.pages.find(page);
  if (found == node.pages.end() && !held.page) return;
  log(PageChange{id, page, found == node.pages.end() ? Node::Held{} : found->second});
  if (found != node.pages.end()) node.sum -= slot_digest(page, found->second.digest);
  if (held.page) {
    node.sum += slot_digest(page, held.digest);
    if (found != node.pages.end()) {
      found->second = std::move(held);
    } else {
      node.pages.emplace(page, std::move(held));
    }
  } else {
    node.pages.erase(found);
  }
}

void FileSystem::put_size(NodeId id, int64_t size) {
  if (nodes_[id].size == size) return;
  log(SizeChange{id, nodes_[id].size});
  nodes_[id].size = size;
}

void FileSystem::put_attributes(NodeId id, std::shared_ptr<const Attributes> attributes) {
  log(AttributeChange{id, nodes_[id].attributes});
  nodes_[id].attributes_digest = digest_of_attributes(*attributes);
  nodes_[id].attributes = std::move(attributes);
}

/// Writes BYTES into the page itself if nobody else sees it and, while changes are logged, its old
/// bytes are few; false if it has to be replaced.
bool FileSystem::change_in_place(NodeId id, uint64_t page, size_t from, std::string_view bytes) {
  constexpr size_t kBytesMax = format::kPageSize / 4;  // more are hardly smaller than the page
  Node& node = nodes_[id];
  const auto found = node.pages.find(page);
  if (found == node.pages.end() || found->second.page.use_count() != 1) return false;
  if (logging_ && bytes.size() > kBytesMax) return false;
  Node::Held& held = found->second;
  char* place = held.page->data() + from;
  const std::string before(place, bytes.size());
  std::memcpy(place, bytes.data(), bytes.size());
  if (is_zero({held.page->data(), held.page->size()})) {
    std::memcpy(place, before.data(), before.size());
    return false;
  }
  if (logging_) log(BytesChange{id, static_cast<uint32_t>(from), page, held.digest, before});
  node.sum -= slot_digest(page, held.digest);
  held.digest = digest_of_page(*held.page);
  node.sum += slot_digest(page, held.digest);
  return true;
}

void FileSystem::undo_in_place(const BytesChange& change) {
  Node& node = nodes_[change.node];
  Node::Held& held = node.pages.at(change.page);
  if (held.page.use_count() != 1) held.page = std::make_shared<Page>(*held.page);
  std::memcpy(held.page->data() + change.from, change.before.data(), change.before.size());
  node.sum -= slot_digest(change.page, held.digest);
  held.digest = change.digest;
  node.sum += slot_digest(change.page, held.digest);
}

void FileSystem::write_page(NodeId id, uint64_t page, size_t from, std::string_view bytes) {
  if (change_in_place(id, page, from, bytes)) return;
  const auto found = nodes_[id].pages.find(page);
  Node::Held held;
  if (found == nodes_[id].pages.end()) {
    if (is_zero(bytes)) return;
    held.page = std::make_shared<Page>();
    held.page->fill(0);
  } else {
    held.page = std::make_shared<Page>(*found->second.page);
  }
  std::memcpy(held.page->data() + from, bytes.data(), bytes.size());
  if (is_zero({held.page->data(), held.page->size()})) {
    put_page(id, page, {});
    return;
  }
  held.digest = digest_of_page(*held.page);
  put_page(id, page, std::move(held));
}

void FileSystem::write(NodeId id, int64_t offset, std::string_view bytes, bool grow) {
  const int64_t end = offset + static_cast<int64_t>(bytes.size());
  if (grow && end > nodes_[id].size && !bytes.empty()) put_size(id, end);
  if (end > nodes_[id].size) {
    const int64_t room = std::max<int64_t>(nodes_[id].size - offset, 0);
    bytes = bytes.substr(0, static_cast<size_t>(room));
  }
  while (!bytes.empty()) {
    const auto from = static_cast<size_t>(offset % kPage);
    const std::string_view part = bytes.substr(0, format::kPageSize - from);
    write_page(id, static_cast<uint64_t>(offset / kPage), from, part);
    offset += static_cast<int64_t>(part.size());
    bytes.remove_prefix(part.size());
  }
  refresh(id);
}

void FileSystem::set_size(NodeId id, int64_t size) {
  if (size < nodes_[id].size) {
    const int64_t cut = nodes_[id].size - size;
    zero(id, size, cut);
  }
  put_size(id, size);
  refresh(id);
}

void FileSystem::zero(NodeId id, int64_t offset, int64_t length) {
  const int64_t end = std::min(offset + length, nodes_[id].size);
  const std::string zeros(format::kPageSize, '\0');
  // Only pages that are held can hold anything else than zeros.
  auto it = nodes_[id].pages.lower_bound(static_cast<uint64_t>(offset / kPage));
  while (it != nodes_[id].pages.end() && static_cast<int64_t>(it->first) * kPage < end) {
    const uint64_t page = it->first;
    ++it;
    const int64_t start = static_cast<int64_t>(page) * kPage;
    const int64_t from = std::max(offset - start, int64_t{0});
    const int64_t to = std::min(end - start, kPage);
    if (to > from)
      write_page(id, page, static_cast<size_t>(from),
                 {zeros.data(), static_cast<size_t>(to - from)});
  }
  refresh(id);
}

void FileSystem::set_attributes(NodeId id, const Attributes& attributes) {
  if (*nodes_[id].attributes == attributes) return;
  put_attributes(id, std::make_shared<Attributes>(attributes));
  refresh(id);
}

void FileSystem::bind_inode(uint64_t inode, NodeId node) {
  const auto [it, fresh] = by_inode_.try_emplace(inode, kNoNode);
  log(Binding{inode, it->second});
  it->second = node;
  static_cast<void>(fresh);
}

// -- Undo

FileSystem::Mark FileSystem::mark() {
  logging_ = true;
  return {log_.size()};
}

void FileSystem::rollback(Mark mark) {
  EVERYCRASH_ASSERT(mark.depth <= log_.size());
  logging_ = false;
  while (log_.size() > mark.depth) {
    const Change change = std::move(log_.back());
    log_.pop_back();
    undo(change);
  }
  logging_ = true;
}

void FileSystem::commit() {
  log_.clear();
  logging_ = false;
}

void FileSystem::undo(const Change& change) {
  if (const auto* entry = std::get_if<EntryChange>(&change)) {
    put_entry(entry->parent, entry->name, entry->before);
  } else if (const auto* page = std::get_if<PageChange>(&change)) {
    put_page(page->node, page->page, page->before);
    refresh(page->node);
  } else if (const auto* bytes = std::get_if<BytesChange>(&change)) {
    undo_in_place(*bytes);
    refresh(bytes->node);
  } else if (const auto* size = std::get_if<SizeChange>(&change)) {
    put_size(size->node, size->before);
    refresh(size->node);
  } else if (const auto* attributes = std::get_if<AttributeChange>(&change)) {
    put_attributes(attributes->node, attributes->before);
    refresh(attributes->node);
  } else if (const auto* binding = std::get_if<Binding>(&change)) {
    by_inode_[binding->inode] = binding->before;
  } else {
    EVERYCRASH_ASSERT(nodes_.back().links.empty());
    nodes_.pop_back();
  }
}

// -- Looking at it

uint32_t FileSystem::name_id(std::string_view name) {
  const auto found = names_->ids.find(name);
  if (found != names_->ids.end()) return found->second;
  const auto id = static_cast<uint32_t>(names_->texts.size());
  names_->texts.emplace_back(name);
  names_->digests.push_back(digest_of(name, kTextSeed));
  names_->ids.emplace(name, id);
  return id;
}

std::optional<uint32_t> FileSystem::known_name(std::string_view name) const {
  const auto found = names_->ids.find(name);
  if (found == names_->ids.end()) return std::nullopt;
  return found->second;
}

const std::string& FileSystem::name(uint32_t id) const {
  return names_->texts[id];
}

NodeId FileSystem::find(std::string_view path) const {
  NodeId node = kRootNode;
  while (!path.empty()) {
    const size_t slash = path.find('/');
    const std::optional<uint32_t> name = known_name(path.substr(0, slash));
    if (!name) return kNoNode;
    const auto found = nodes_[node].entries.find(*name);
    if (found == nodes_[node].entries.end()) return kNoNode;
    node = found->second;
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
  }
  return node;
}

NodeId FileSystem::by_inode(uint64_t inode) const {
  const auto found = by_inode_.find(inode);
  return found == by_inode_.end() ? kNoNode : found->second;
}

std::optional<std::string> FileSystem::path_of(NodeId id) const {
  std::string path;
  while (id != kRootNode) {
    const auto& links = nodes_[id].links;
    if (links.empty()) return std::nullopt;
    const auto first =
        std::min_element(links.begin(), links.end(), [this](const auto& a, const auto& b) {
          return std::tie(a.parent, name(a.name)) < std::tie(b.parent, name(b.name));
        });
    path = path.empty() ? name(first->name) : name(first->name) + "/" + path;
    id = first->parent;
  }
  return path;
}

std::string FileSystem::content(NodeId id) const {
  const Node& node = nodes_[id];
  std::string bytes(static_cast<size_t>(node.size), '\0');
  for (const auto& [page, held] : node.pages) {
    const size_t start = page * format::kPageSize;
    if (start >= bytes.size()) break;
    std::memcpy(bytes.data() + start, held.page->data(),
                std::min<size_t>(format::kPageSize, bytes.size() - start));
  }
  return bytes;
}

std::vector<std::pair<std::string, NodeId>> FileSystem::paths() const {
  std::vector<std::pair<std::string, NodeId>> all{{"", kRootNode}};
  for (size_t i = 0; i < all.size(); ++i) {
    const auto [path, id] = all[i];
    for (const auto& [entry, child] : nodes_[id].entries) {
      all.emplace_back(path.empty() ? name(entry) : path + "/" + name(entry), child);
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace everycrash
