// The in-memory file system: what the state directory holds after some operations of a trace.
//
// Pure: no clock, no file, no randomness. Content is held in pages of 4096 bytes that are shared
// until one is written to; pages of zeros are not held at all. Every node carries a digest of all
// that is below it, kept up to date by each change in time proportional to its depth, so that two
// states are compared by comparing two numbers.
//
// What counts as equal: names, types, contents, sizes, modes, owners, extended attributes, link
// counts, and times that the workload set explicitly. Times that the kernel set do not count.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "harness/base/digest.h"
#include "harness/base/error.h"
#include "harness/model/node_id.h"
#include "harness/trace/format.h"

namespace everycrash {

struct Operation;
class Trace;

using Page = std::array<char, format::kPageSize>;

/// What a node has beside its content.
struct Attributes {
  uint32_t mode = 0;  ///< permissions and type, as in st_mode
  uint32_t owner = 0;
  uint32_t group = 0;
  uint64_t device = 0;                          ///< of a device node
  std::optional<format::Times> times;           ///< as set by the workload, lost at the next write
  std::map<std::string, std::string> extended;  ///< xattrs

  friend bool operator==(const Attributes&, const Attributes&);
};

/// A file, folder, link or special file. Read-only outside FileSystem.
struct Node {
  struct Held {  ///< a page and its digest
    std::shared_ptr<Page> page;
    Digest digest;
  };
  struct Link {  ///< one name of this node
    NodeId parent;
    uint32_t name;
    friend bool operator==(const Link&, const Link&) = default;
  };

  std::shared_ptr<const Attributes> attributes;
  int64_t size = 0;                    ///< bytes, of a file
  std::map<uint64_t, Held> pages;      ///< by page number; absent = zeros
  std::string target;                  ///< of a symbolic link
  std::map<uint32_t, NodeId> entries;  ///< of a folder, by name id
  std::vector<Link> links;             ///< its own names
  Digest attributes_digest;
  Digest target_digest;
  Digest sum;     ///< of pages or entries
  Digest digest;  ///< of everything

  [[nodiscard]] bool is_directory() const;
  [[nodiscard]] bool is_file() const;
  [[nodiscard]] bool is_symlink() const;
};

/// A value: copies are independent (they share pages and names). Not thread-safe; the names table
/// is shared between copies, so copies may be used by several threads only while no new name is
/// made: give each thread its own FileSystem built from the trace instead.
class FileSystem {
 public:
  /// An empty state directory.
  FileSystem();
  /// The state directory as it was before the workload. Fails if the trace contradicts itself.
  static Result<FileSystem> initial(const Trace& trace);

  // -- Applying a trace. Fails with kHarness where the operation cannot have happened in this state
  //    (recording lost something), and then leaves the state unspecified.

  /// Does all that OPERATION did. Failed operations, syncs, prints and the like do nothing.
  Status apply(const Operation& operation);
  /// Does what a write did that was cut short after BYTES bytes.
  Status apply_cut_write(const Operation& operation, int64_t bytes);

  // -- Changing it piece by piece (persistence units do). All are total: they cannot fail.

  NodeId create(const Attributes& attributes, std::string_view target = {});
  /// Makes NAME in folder PARENT mean NODE; whatever it meant before loses that name.
  void set_entry(NodeId parent, uint32_t name, NodeId node);
  void clear_entry(NodeId parent, uint32_t name);
  /// Puts BYTES at OFFSET. Grows the file if they end behind its size and GROW is set; otherwise
  /// bytes behind the size are dropped.
  void write(NodeId node, int64_t offset, std::string_view bytes, bool grow = true);
  /// Cuts or grows (with zeros).
  void set_size(NodeId node, int64_t size);
  /// Zeroes [offset, offset + length) within the size.
  void zero(NodeId node, int64_t offset, int64_t length);
  void set_attributes(NodeId node, const Attributes& attributes);

  // -- Undo. A mark taken now can be rolled back to later; changes in between are undone in
  // reverse.

  struct Mark {
    size_t depth;
  };
  /// Starts (or goes on) logging inverse changes.
  [[nodiscard]] Mark mark();
  void rollback(Mark mark);
  /// Forgets the log: what was done stays, and no mark is valid any more.
  void commit();

  // -- Looking at it.

  [[nodiscard]] const Node& node(NodeId id) const { return nodes_[id]; }
  [[nodiscard]] size_t node_count() const { return nodes_.size(); }
  /// Digest of the whole tree.
  [[nodiscard]] const Digest& digest() const { return nodes_[kRootNode].digest; }
  /// The node at PATH ("" = root; no symbolic links followed), or kNoNode.
  [[nodiscard]] NodeId find(std::string_view path) const;
  /// The node that the kernel knew by INODE at this point of the trace, or kNoNode.
  [[nodiscard]] NodeId by_inode(uint64_t inode) const;
  /// Binds an inode number to a node, as a creation does.
  void bind_inode(uint64_t inode, NodeId node);
  /// Some path of NODE from the root, or "" for the root; nullopt if it has none.
  [[nodiscard]] std::optional<std::string> path_of(NodeId node) const;
  /// Content of a file, whole.
  [[nodiscard]] std::string content(NodeId file) const;
  /// All paths, sorted, with their nodes.
  [[nodiscard]] std::vector<std::pair<std::string, NodeId>> paths() const;

  [[nodiscard]] uint32_t name_id(std::string_view name);  ///< interned
  [[nodiscard]] std::optional<uint32_t> known_name(std::string_view name) const;
  [[nodiscard]] const std::string& name(uint32_t id) const;

 private:
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  struct Names {
    std::vector<std::string> texts;
    std::vector<Digest> digests;
    std::unordered_map<std::string, uint32_t, TextHash, std::equal_to<>> ids;
  };
  struct EntryChange {
    NodeId parent;
    uint32_t name;
    NodeId before;
  };
  struct PageChange {
    NodeId node;
    uint64_t page;
    Node::Held before;
  };
  /// Of a short write into a page that nobody else holds: the bytes alone, not the page.
  struct BytesChange {
    NodeId node;
    uint32_t from;  ///< in the page
    uint64_t page;
    Digest digest;  ///< of the page before
    std::string before;
  };
  struct SizeChange {
    NodeId node;
    int64_t before;
  };
  struct AttributeChange {
    NodeId node;
    std::shared_ptr<const Attributes> before;
  };
  struct Creation {};
  struct Binding {
    uint64_t inode;
    NodeId before;
  };
  using Change = std::variant<EntryChange, PageChange, BytesChange, SizeChange, AttributeChange,
                              Creation, Binding>;

  struct Place {  ///< a name, whether or not it exists
    NodeId parent;
    uint32_t name;
  };

  [[nodiscard]] Result<Place> place_of(std::string_view path, const Operation& operation);
  [[nodiscard]] NodeId at(const Place& place) const;
  [[nodiscard]] Result<NodeId> target_of(const Operation& operation) const;
  Status apply_open(const Operation& operation);
  Status apply_rename(const Operation& operation);
  Status apply_arrival(const Operation& operation);
  Status apply_link(const Operation& operation);
  Status apply_removal(const Operation& operation);
  Status apply_creation(const Operation& operation, uint32_t type);
  Status apply_allocate(const Operation& operation, NodeId node);
  Status apply_attribute(const Operation& operation, NodeId node);
  void forget_times(NodeId node);
  template <typename Kind>
  void log(Kind change) {
    if (logging_) log_.emplace_back(std::move(change));
  }
  void undo(const Change& change);
  void put_entry(NodeId parent, uint32_t name, NodeId node);
  void put_page(NodeId node, uint64_t page, Node::Held held);
  bool change_in_place(NodeId node, uint64_t page, size_t from, std::string_view bytes);
  void undo_in_place(const BytesChange& change);
  void put_size(NodeId node, int64_t size);
  void put_attributes(NodeId node, std::shared_ptr<const Attributes> attributes);
  void write_page(NodeId node, uint64_t page, size_t from, std::string_view bytes);
  void release_if_nameless(NodeId node);
  [[nodiscard]] bool is_at_or_above(NodeId node, NodeId below) const;
  [[nodiscard]] Digest entry_digest(uint32_t name, const Digest& node) const;
  void refresh(NodeId node);

  std::shared_ptr<Names> names_;
  std::vector<Node> nodes_;
  std::unordered_map<uint64_t, NodeId> by_inode_;
  std::vector<Change> log_;
  bool logging_ = false;
};

}  // namespace everycrash
