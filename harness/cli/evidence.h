// What the minimal state of a finding looks like, for people who read a report: what was lost, the
// trees, and the broken file before and after.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/check/judge.h"
#include "harness/explore/crash_point.h"
#include "harness/explore/state_builder.h"
#include "harness/model/floor.h"
#include "harness/model/unit.h"
#include "harness/trace/trace.h"
#include "reports/result.h"

namespace everycrash::cli {

/// Fills Finding::evidence. What it spends over all findings is bounded by counts, never by time,
/// so that equal runs give equal documents; where a bound is reached, the finding says so. Refers
/// to all that it is given. Not thread-safe.
class EvidenceCollector {
 public:
  EvidenceCollector(const Trace& trace, const History& history, StateJudge& judge)
      : trace_(trace), history_(history), judge_(judge) {}

  /// The state of a process that was killed at POINT; OPENER is the record that opened the time in
  /// which that does harm, 0 if it is not known.
  Status add_kill(reports::Finding& finding, CrashPoint point, uint64_t opener);

  /// The state right after RECORD in which LOST (ascending) is missing: CRASHED.
  struct PowerLoss {
    const UnitHistory& units;
    uint64_t record;
    const std::vector<UnitId>& lost;
    const FileSystem& crashed;
  };
  Status add_power(reports::Finding& finding, const PowerLoss& loss);

 private:
  struct Moment {
    uint64_t sequence = 0;
    FileSystem tree;
  };
  Result<Moment> tree_after(uint64_t record);
  Result<std::optional<Moment>> next_version(const std::string& path, uint64_t record);
  bool may_spend(uint64_t records, reports::Evidence& evidence);
  Status add_trees(reports::Evidence& evidence, const FileSystem& before, const StateView& crashed);
  void add_file(reports::Evidence& evidence, const std::string& path, const Moment& old,
                const std::optional<Moment>& made, const FileSystem& found);
  void add_printed(reports::Evidence& evidence, std::string_view printed) const;

  const Trace& trace_;
  const History& history_;
  StateJudge& judge_;
  std::optional<StateBuilder> builder_;
  uint64_t records_left_ = 1'000'000;
  uint64_t runs_left_ = 50;
  uint64_t rows_left_ = 4000;
  uint64_t bytes_left_ = 256 * 1024;
};

/// From when on each of OPERATIONS is safe, see reports::Durability::since. FLOOR is what the syncs
/// guarantee.
[[nodiscard]] std::vector<int64_t> durable_since(
    const UnitHistory& units, const Floor& floor,
    const std::vector<reports::TimelineOperation>& operations);

}  // namespace everycrash::cli
