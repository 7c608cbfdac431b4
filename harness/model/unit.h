// Persistence units: the smallest things that a crash lets survive or vanish on their own.
//
// Every operation of a trace expands into units: each page of a write, each step of a growing size,
// each name that comes or goes. A unit says what it does to an in-memory file system (its changes),
// which earlier units must be on disk for it to be there (its predecessors), and which later units
// hide it. A crash state is a set of units; what makes a set legal is said in persistence_model.h.
//
// Units are numbered in the order of the trace; a unit's number is stable for one trace, model and
// tear size. Data stays in the trace: a unit holds a view of it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "harness/model/node_id.h"
#include "harness/model/unit_id.h"

namespace everycrash {

struct Attributes;
class Trace;

inline constexpr uint32_t kNoCell = ~uint32_t{0};

/// What a unit is, for explanations and for choosing likely states.
enum class UnitKind : uint8_t {
  kEntry,       ///< a new name: creation, link, or the new name of a split rename
  kRemoval,     ///< a name goes: unlink, rmdir, or the old name of a split rename
  kRename,      ///< a name moves, in one step; also an exchange
  kData,        ///< bytes within one page
  kSize,        ///< the file grows by a step, its new bytes zeros
  kAppend,      ///< the file grows by a step and the bytes are there
  kStale,       ///< what the disk held before at the place of bytes not written yet
  kTruncate,    ///< the size is set: cut, or grown with zeros
  kAllocate,    ///< fallocate: a hole, zeros, or content that moves
  kAttributes,  ///< mode, owner, times, extended attributes
};
/// True for what writing to a file consists of: bytes, and the steps by which it grows.
[[nodiscard]] constexpr bool is_content(UnitKind kind) {
  return kind == UnitKind::kData || kind == UnitKind::kAppend || kind == UnitKind::kSize ||
         kind == UnitKind::kStale;
}

/// One primitive change. Which fields count depends on `what`.
struct UnitChange {
  enum class What : uint8_t {
    kSetName,
    kClearName,
    kRestoreName,  ///< to what units before the one numbered `offset` made of it; NODE at first
    kBytes,
    kGarbage,
    kZero,
    kSize,
    kSizeAtMost,  ///< where units before it make the file larger than `length`, it is that long
    kCollapse,
    kInsert,
    kAttributes
  };
  What what = What::kBytes;
  NodeId node = kNoNode;    ///< the file, or what the name then means
  NodeId parent = kNoNode;  ///< of a name
  uint32_t name = 0;        ///< index into UnitHistory::names()
  uint32_t cell = kNoCell;  ///< what is overwritten; bytes have no cell
  int64_t offset = 0;
  int64_t length = 0;      ///< also: the new size
  std::string_view bytes;  ///< into the trace
  std::shared_ptr<const Attributes> attributes;
};
struct Unit {
  uint64_t record = 0;  ///< sequence number of the operation
  UnitKind kind = UnitKind::kData;
  bool metadata = false;        ///< stands in the one order of metadata, where the model has one
  bool for_reading = false;     ///< needed to read the data back, so fdatasync takes it
  NodeId node = kNoNode;        ///< the file or folder it is about
  NodeId parent = kNoNode;      ///< of a name: the folder it is in
  NodeId old_parent = kNoNode;  ///< of a rename: the folder it leaves (or the same)
  int64_t offset = 0;           ///< of data: the first byte; of sizes: the new size
  int64_t length = 0;           ///< bytes of data
  UnitId partner = kNoUnit;     ///< the other half of one atomic step

  // What makes it invisible once it is kept too: Window::is_hidden() (explore) tells.
  UnitId dropped_by = kNoUnit;  ///< removes the last name of the file
  UnitId hidden_by = kNoUnit;   ///< overwrites, renames over, or cuts off
  UnitId hidden_by_too = kNoUnit;

  // A truncation that cuts off a part of its bytes, and how many it leaves. Where that is on disk
  // first, the others do not come back, also if the file grows again.
  UnitId cut_by = kNoUnit;
  int64_t length_cut = 0;

  uint32_t first_change = 0, changes = 0;
  uint32_t first_before = 0, befores = 0;
};

/// Names that a sync carries to disk without the metadata before them (btrfs_log.h).
struct LoggedNames {
  std::vector<UnitId> units;  ///< beside those of what is synced
  UnitId committed = 0;       ///< all metadata before this unit is committed
};

/// A file that the workload made: units only name it.
struct NewNode {
  std::shared_ptr<const Attributes> attributes;
  std::string_view target;
};

/// All units of a trace under one model. Immutable once built, safe to share between threads.
/// Refers to the trace, which must outlive it.
class UnitHistory {
 public:
  [[nodiscard]] std::span<const Unit> units() const { return units_; }
  [[nodiscard]] const Unit& unit(UnitId id) const { return units_[id]; }
  /// The units that must be on disk for UNIT to be, unless a sync carried it there alone.
  [[nodiscard]] std::span<const UnitId> before(UnitId id) const {
    return {befores_.data() + units_[id].first_before, units_[id].befores};
  }
  /// True if what comes behind UNIT still needs what is before it, also where a sync carried UNIT
  /// to disk alone: metadata in one order that no whole commit wrote.
  [[nodiscard]] bool hands_on(UnitId id) const { return syncs_alone_ && units_[id].metadata; }
  [[nodiscard]] std::span<const UnitChange> changes(UnitId id) const {
    return {changes_.data() + units_[id].first_change, units_[id].changes};
  }
  /// The units of the record with that sequence number: [first, second).
  [[nodiscard]] std::pair<UnitId, UnitId> units_of(uint64_t record) const;
  /// How many units the records up to and including RECORD have.
  [[nodiscard]] UnitId units_until(uint64_t record) const { return ends_[record]; }

  /// Nodes behind the initial ones, in the order of their numbers.
  [[nodiscard]] std::span<const NewNode> new_nodes() const { return new_nodes_; }
  [[nodiscard]] std::span<const std::string_view> names() const { return names_; }
  [[nodiscard]] uint32_t cells() const { return cells_; }
  /// The cell of a node's attributes, kNoCell if nothing changes them.
  [[nodiscard]] uint32_t attribute_cell(NodeId node) const { return attribute_cells_[node]; }
  [[nodiscard]] NodeId node_count() const { return node_count_; }

  /// What a record is about, for syncs: its file or folder, kNoNode if it is not known.
  [[nodiscard]] NodeId target(uint64_t record) const { return targets_[record]; }
  /// Data whose way to disk a close began (replace via truncate), by the record of the close.
  struct StartedFlush {
    uint64_t record;
    std::vector<UnitId> units;
  };
  [[nodiscard]] std::span<const StartedFlush> flushes() const { return flushes_; }
  /// What the sync with that sequence number carries; null for nothing beside what it is about.
  [[nodiscard]] const LoggedNames* logged_names(uint64_t record) const;

  /// "the rename of a.tmp to a", "bytes 0 to 812 of a.tmp": what was lost or kept, in words.
  [[nodiscard]] std::string describe(UnitId id, const Trace& trace) const;

 private:
  friend class UnitExpander;
  friend class HistoryBuilder;

  std::vector<Unit> units_;
  std::vector<UnitId> befores_;
  std::vector<UnitChange> changes_;
  std::vector<UnitId> ends_;     // by sequence number
  std::vector<NodeId> targets_;  // by sequence number
  std::vector<NewNode> new_nodes_;
  std::vector<std::string_view> names_;
  std::vector<StartedFlush> flushes_;
  std::unordered_map<uint64_t, LoggedNames> logged_names_;  // by sequence number
  std::vector<uint32_t> attribute_cells_;                   // by node
  uint32_t cells_ = 0;
  NodeId node_count_ = 0;
  bool syncs_alone_ = false;
};

/// The word for KIND: "rename", "data", "size".
[[nodiscard]] std::string_view name_of(UnitKind kind);

}  // namespace everycrash
