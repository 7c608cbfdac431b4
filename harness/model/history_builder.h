// Puts units together: numbers them, keeps what is needed to say what comes before what.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/model/page_ranges.h"
#include "harness/model/persistence_model.h"
#include "harness/model/unit.h"

namespace everycrash {

class Trace;

/// What the builder remembers of one file or folder.
struct NodeMemory {
  UnitId named = kNoUnit;         ///< the unit that made its first name, in this trace
  UnitId last_size = kNoUnit;     ///< the last unit that set its size
  UnitId last_content = kNoUnit;  ///< the last unit that changed content over many pages
  UnitId last_attributes = kNoUnit;
  std::map<int64_t, UnitId> pages;  ///< the last unit of a page since last_content
  std::vector<UnitId> cuttable;     ///< data and sizes that a truncation would hide
  std::vector<UnitId> unflushed;    ///< data and sizes that no heuristic has sent to disk
  std::vector<UnitId> droppable;    ///< units that vanish with its last name
  PageRanges allocated;             ///< pages that have their blocks on disk
  std::set<int64_t> delayed;        ///< pages under delayed allocation
  bool cut = false;                 ///< truncated since it was last closed
  bool linked = false;              ///< may have had several names, so losing one does not hide it
  uint32_t size_cell = kNoCell, attribute_cell = kNoCell;
};

/// A unit being put together.
struct Draft {
  Unit unit;
  std::vector<UnitId> before;
  std::vector<UnitChange> changes;
  bool in_log = false;  ///< metadata that a sync of anything may carry alone
};

/// How a unit stands to the one order of metadata. Nothing of it counts where the model has none.
enum class MetadataOrder : uint8_t {
  kApart,   ///< has no place in it and waits for nothing that has
  kBehind,  ///< has no place, but comes behind the metadata that is there already
  kWithin,  ///< is metadata: has its place, behind what is there already
};

/// Owns the UnitHistory until finish(). One thread.
class HistoryBuilder {
 public:
  HistoryBuilder(const Trace& trace, const PersistenceRules& rules);

  void begin(uint64_t record) { record_ = record; }
  /// Closes the record: units added from now on belong to the next one.
  void end(NodeId target);
  UnitId add(Draft draft, MetadataOrder order);
  /// Adds two units that are one atomic step.
  void make_partners(UnitId first, UnitId second);
  /// Tells that data is on its way: metadata from now on finds it on disk.
  void start_flush(const std::vector<UnitId>& units);

  [[nodiscard]] NodeMemory& memory(NodeId node);
  [[nodiscard]] uint32_t size_cell(NodeId node);
  [[nodiscard]] uint32_t attribute_cell(NodeId node);
  /// NODE has SIZE from now on.
  [[nodiscard]] UnitChange size_change(NodeId node, int64_t size);
  /// A change of a name, with its cell. Puts the last unit that touched it into BEFORE.
  UnitChange name_change(NodeId parent, std::string_view name, NodeId node, Draft& draft);
  /// What the unit did which gave NODE that name (kNoNode: took it), for another unit that it
  /// comes with; nothing if no unit did.
  [[nodiscard]] std::optional<UnitChange> name_again(NodeId parent, std::string_view name,
                                                     NodeId node) const;
  void note_logged(LoggedNames names);
  /// Tells that what BY hides or drops may be seen although BY is there.
  void reveal(UnitId by);
  [[nodiscard]] UnitId next_unit() const { return static_cast<UnitId>(history_.units_.size()); }
  void add_node(const std::shared_ptr<const Attributes>& attributes, std::string_view target);

  /// Where creation must come before content, because the content shows under no other name.
  [[nodiscard]] UnitId needed_name(NodeId node);
  /// A file whose inode number is ever hard-linked can show under another name.
  void note_linked_inode(uint64_t inode) { linked_inodes_.insert(inode); }
  [[nodiscard]] bool ever_linked(uint64_t inode) const { return linked_inodes_.count(inode) != 0; }

  void hide(UnitId hidden, UnitId by);
  /// Notes that BY cuts the file to SIZE, through the bytes of UNIT or behind them.
  void cut(UnitId unit, UnitId by, int64_t size);
  void drop(UnitId dropped, UnitId by) { history_.units_[dropped].dropped_by = by; }
  [[nodiscard]] const Unit& unit(UnitId id) const { return history_.units_[id]; }
  [[nodiscard]] const PersistenceRules& rules() const { return rules_; }
  [[nodiscard]] UnitHistory finish(NodeId node_count);

 private:
  struct Name {
    uint32_t cell;
    UnitId last = kNoUnit;
  };
  [[nodiscard]] uint32_t name_index(std::string_view name);

  const PersistenceRules& rules_;
  UnitHistory history_;
  uint64_t record_ = 0;
  UnitId last_metadata_ = kNoUnit;
  std::vector<UnitId> in_log_;  // since then, out of its order
  UnitId last_in_log_ = kNoUnit;
  std::vector<UnitId> flush_started_;
  std::vector<NodeMemory> memories_;
  std::map<std::pair<NodeId, uint32_t>, Name> slots_;
  std::unordered_map<std::string_view, uint32_t> name_indices_;
  std::set<uint64_t> linked_inodes_;
};

}  // namespace everycrash
