// Building many crash states of a power loss, one after the other, for one worker.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/base/error.h"
#include "harness/model/unit.h"
#include "harness/model/unit_tree.h"
#include "harness/trace/trace.h"

namespace everycrash {

/// Keeps a tree with the units that come before what the last state lost, and goes on from there: a
/// state costs what lies between its first lost unit and its crash point, not the length of the
/// trace, as long as states come roughly window by window. Refers to trace and history. One thread.
class PowerStateBuilder {
 public:
  PowerStateBuilder(const Trace& trace, const UnitHistory& history)
      : trace_(trace), history_(history) {}

  /// The state that keeps all units of records up to RECORD but those in LOST (ascending). The tree
  /// is valid until the next call. Fails with kHarness where the trace contradicts itself.
  Result<const FileSystem*> build(uint64_t record, const std::vector<UnitId>& lost);

 private:
  struct Checkpoint {
    UnitId units;  ///< all units below are applied
    UnitTree::Mark mark;
  };
  Status start_at(UnitId unit);

  const Trace& trace_;
  const UnitHistory& history_;
  std::optional<UnitTree> tree_;
  UnitId base_ = 0;  // units below can not be taken off again
  std::vector<Checkpoint> checkpoints_;
};

}  // namespace everycrash
