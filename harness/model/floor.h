// What syncs guarantee: which units are on disk once a sync has returned.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "harness/model/unit_id.h"

namespace everycrash {

struct Operation;
struct PersistenceRules;
class Trace;
class UnitHistory;

/// Says whether the sync with that sequence number guarantees nothing (a disk that lies).
using LyingSync = std::function<bool(uint64_t record)>;

/// The guarantees of one run under one model, in the order of the trace. A value.
struct Floor {
  struct Step {
    uint64_t record;            ///< the sync, or a write through O_SYNC or O_DSYNC
    std::vector<UnitId> units;  ///< what it guarantees and no earlier one did, sorted; never empty
  };
  std::vector<Step> steps;

  /// What each step adds. HISTORY must come from TRACE and RULES. fsync, fdatasync, sync, syncfs,
  /// msync(MS_SYNC) and synchronous writes count where they succeeded and were done (not
  /// format::kLost); sync_file_range guarantees nothing, as sync_file_range(2) warns; nor does
  /// close(2).
  [[nodiscard]] static Floor compute(const Trace& trace, const UnitHistory& history,
                                     const PersistenceRules& rules, const LyingSync& lies = {});
};

/// True for syncs that failed such that no later sync brings the data to disk that they were about:
/// those to which that was done (format::kLost), as Linux does it where a disk fails ("Can
/// Applications Recover from fsync Failures?", USENIX ATC 2020, on ext4, xfs and btrfs).
[[nodiscard]] bool drops_data(const Operation& operation);

/// True for records that can guarantee something under some model.
[[nodiscard]] bool is_guarantee(const Operation& operation);

}  // namespace everycrash
