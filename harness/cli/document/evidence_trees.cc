#include "harness/cli/document/evidence_trees.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <vector>

#include "harness/check/history.h"
#include "reports/text.h"

namespace everycrash::cli {
namespace {

constexpr int64_t kWholeBytes = 12 * 1024;  // a file up to this size is shown whole
constexpr int64_t kLeadBytes = 1024;        // shown before the first difference of a larger one

const char* kind_of(const Node& node) {
  if (node.is_directory()) return "folder";
  if (node.is_symlink()) return "link";
  return node.is_file() ? "file" : "special";
}

/// Numbers the contents of one row in the order in which they come.
class ContentNumbers {
 public:
  uint32_t of(const Node& node) {
    // What is in a folder has rows of its own.
    const Content content = node.is_directory() ? Content{} : content_of(node);
    const auto known = std::find(seen_.begin(), seen_.end(), content);
    if (known != seen_.end()) return static_cast<uint32_t>(known - seen_.begin()) + 1;
    seen_.push_back(content);
    return static_cast<uint32_t>(seen_.size());
  }

 private:
  std::vector<Content> seen_;
};

std::optional<reports::TreeEntry> entry_of(const FileSystem* tree, NodeId id,
                                           ContentNumbers& contents) {
  if (tree == nullptr || id == kNoNode) return std::nullopt;
  const Node& node = tree->node(id);
  return reports::TreeEntry{.kind = kind_of(node),
                            .size = node.is_file() ? node.size : 0,
                            .mode = node.attributes->mode & 07777,
                            .target = node.target,
                            .content = contents.of(node)};
}

/// Nodes of one path in the three trees.
using Nodes = std::array<NodeId, 3>;

/// True where this is one thing in all trees that are known.
bool is_unchanged(const reports::TreeRow& row, bool has_after) {
  return row.before == row.crash && (!has_after || row.crash == row.after);
}

std::string bytes_of(const Node& node, int64_t offset, int64_t length) {
  const int64_t end = std::min(node.size, offset + length);
  if (end <= offset) return "";
  std::string bytes(static_cast<size_t>(end - offset), '\0');
  for (const auto& [number, held] : node.pages) {
    const auto start = static_cast<int64_t>(number * format::kPageSize);
    const int64_t from = std::max(start, offset);
    const int64_t until = std::min<int64_t>(start + static_cast<int64_t>(format::kPageSize), end);
    if (from >= until) continue;
    std::copy(held.page->begin() + (from - start), held.page->begin() + (until - start),
              bytes.begin() + (from - offset));
  }
  return bytes;
}

const Node* file_in(const FileSystem* tree, const std::string& path) {
  const NodeId id = tree == nullptr ? kNoNode : tree->find(path);
  if (id == kNoNode || !tree->node(id).is_file()) return nullptr;
  return &tree->node(id);
}

/// The first byte in which two files differ, or the size of the shorter one.
int64_t first_difference(const Node& a, const Node& b) {
  constexpr auto kPage = static_cast<int64_t>(format::kPageSize);
  const int64_t shorter = std::min(a.size, b.size);
  for (int64_t page = 0; page < shorter; page += kPage) {
    const auto number = static_cast<uint64_t>(page / kPage);
    const auto in_a = a.pages.find(number);
    const auto in_b = b.pages.find(number);
    const bool both = in_a != a.pages.end() && in_b != b.pages.end();
    if (both && in_a->second.digest == in_b->second.digest) continue;
    if (in_a == a.pages.end() && in_b == b.pages.end()) continue;
    const std::string left = bytes_of(a, page, std::min(kPage, shorter - page));
    const std::string right = bytes_of(b, page, std::min(kPage, shorter - page));
    const auto [at, other] = std::mismatch(left.begin(), left.end(), right.begin());
    if (at != left.end()) return page + (at - left.begin());
  }
  return shorter;
}

}  // namespace

size_t add_tree_rows(reports::Evidence& evidence, const ThreeTrees& trees, size_t rows_max) {
  std::map<std::string, Nodes> nodes;
  const std::array<const FileSystem*, 3> all = {trees.before, trees.crash, trees.after};
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i] == nullptr) continue;
    for (auto& [path, node] : all[i]->paths()) {
      nodes.try_emplace(path, Nodes{kNoNode, kNoNode, kNoNode}).first->second[i] = node;
    }
  }
  nodes.erase("");  // the state directory itself
  std::vector<reports::TreeRow> same;
  size_t total = 0;
  for (const auto& [path, ids] : nodes) {
    ContentNumbers contents;
    reports::TreeRow row{.path = path};
    row.before = entry_of(trees.before, ids[0], contents);
    row.crash = entry_of(trees.crash, ids[1], contents);
    row.after = entry_of(trees.after, ids[2], contents);
    ++total;
    std::vector<reports::TreeRow>& rows =
        is_unchanged(row, trees.after != nullptr) ? same : evidence.tree;
    if (rows.size() < rows_max) rows.push_back(std::move(row));
  }
  for (reports::TreeRow& row : same) {
    if (evidence.tree.size() >= rows_max) break;
    evidence.tree.push_back(std::move(row));
  }
  evidence.tree_left_out = total - evidence.tree.size();
  return evidence.tree.size();
}

reports::FileVersions file_versions(const std::string& path, const ThreeFiles& trees,
                                    int64_t bytes_max) {
  const Node* const old_file = file_in(trees.old_tree, path);
  const Node* const new_file = file_in(trees.new_tree, path);
  const Node* const found = file_in(trees.found, path);
  reports::FileVersions file{.path = path};
  int64_t largest = 0;
  for (const Node* node : {old_file, new_file, found}) {
    if (node != nullptr) largest = std::max(largest, node->size);
  }
  if (largest > kWholeBytes && found != nullptr && (new_file != nullptr || old_file != nullptr)) {
    const Node& other = new_file != nullptr ? *new_file : *old_file;
    file.offset = std::max<int64_t>(0, first_difference(*found, other) - kLeadBytes) & ~15;
  }
  const int64_t length = std::min(kWholeBytes, bytes_max / 3);
  const auto excerpt = [&](const Node* node) -> std::optional<reports::FileBytes> {
    if (node == nullptr) return std::nullopt;
    return reports::FileBytes{node->size, reports::base64(bytes_of(*node, file.offset, length))};
  };
  file.old_content = excerpt(old_file);
  file.new_content = excerpt(new_file);
  file.found = excerpt(found);
  return file;
}

}  // namespace everycrash::cli
