// A file system that is put together from units, in any order, and taken apart again.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/model/file_system.h"
#include "harness/model/unit.h"

namespace everycrash {

class Trace;

/// Owns its FileSystem; refers to the history and its trace. One thread.
class UnitTree {
 public:
  /// The state before the workload. Fails with kHarness where the trace contradicts itself.
  static Result<UnitTree> create(const Trace& trace, const UnitHistory& history);

  /// Puts one more unit on the disk. Where a later unit that is there already has changed the same
  /// thing, that one stays.
  void apply(UnitId unit);

  struct Mark {
    FileSystem::Mark tree;
    size_t cells;
    size_t units;
    size_t beyond;
    size_t limits;
  };
  [[nodiscard]] Mark mark();
  /// Takes everything off again that was applied since MARK.
  void rollback(const Mark& mark);

  [[nodiscard]] const FileSystem& tree() const { return tree_; }
  [[nodiscard]] bool has(UnitId unit) const { return applied_[unit]; }
  [[nodiscard]] const std::vector<bool>& applied() const { return applied_; }

 private:
  UnitTree(const UnitHistory& history, FileSystem tree);
  void apply(const UnitChange& change, UnitId unit);
  void restore(uint32_t cell);
  void restore_name(const UnitChange& change);
  void move_content(const UnitChange& change);
  [[nodiscard]] bool bytes_are_gone(const Unit& unit) const;
  void set_bytes(const UnitChange& change, UnitId unit, int64_t from);
  void grow(NodeId node, int64_t size);
  void limit_size(const UnitChange& change, UnitId unit);
  [[nodiscard]] int64_t limited(NodeId node, int64_t size, UnitId unit) const;
  void forget_times(NodeId node, UnitId unit);
  [[nodiscard]] bool claim(uint32_t cell, UnitId unit);

  struct CellChange {
    uint32_t cell;
    UnitId before;
  };
  struct Limit {
    NodeId node;
    UnitId unit;  ///< sizes that units before it give are cut
    int64_t size;
  };

  const UnitHistory* history_;
  FileSystem tree_;
  std::vector<uint32_t> names_;  // name ids of the tree, by index in the history
  std::vector<UnitId> owners_;   // by cell: the latest unit there
  std::vector<bool> applied_;
  std::vector<UnitId> order_;
  std::vector<CellChange> cell_log_;
  std::vector<Limit> limits_;
  std::vector<UnitId> beyond_;  // whose bytes were not all within the size of their file
};

}  // namespace everycrash
