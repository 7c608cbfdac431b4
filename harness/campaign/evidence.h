// Collecting what the minimal state of a finding looks like, for people who read a report.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/campaign/evidence_facts.h"
#include "harness/campaign/stop.h"
#include "harness/explore/crash_point.h"
#include "harness/model/unit_id.h"

namespace everycrash {

class FileSystem;
class History;
class Seat;
class StateBuilder;
class Trace;
class UnitHistory;
struct StateView;

/// What evidence may cost over all findings of a campaign: counts, never time, so that equal runs
/// give equal documents.
struct EvidenceBudget {
  uint64_t records = 1'000'000;  ///< of traces, walked
  uint64_t runs = 50;            ///< of what runs after a crash
};

/// The file that a finding is about, or the operations that tell which it may be.
struct Suspects {
  bool any = true;                ///< false: it is about no file
  std::string path;               ///< what a judge named; "" = nothing
  std::vector<uint64_t> records;  ///< operations that may be about it, the likeliest first
};

/// Where the budget is used up, the evidence says so. Refers to all that it is given. Not
/// thread-safe.
class EvidenceCollector {
 public:
  EvidenceCollector(const Trace& trace, const History& history, Seat& judge, Stop stop);
  EvidenceCollector(EvidenceCollector&&) noexcept;
  ~EvidenceCollector();

  /// A run that another one came before, which had PRINTED and done EVENTS.
  struct LaterRun {
    const Trace& trace;
    const History& history;
    std::string printed;
    std::string events;
  };
  /// For the findings of RUN, out of the budget of this one.
  [[nodiscard]] EvidenceCollector of_later_run(LaterRun run) const;

  /// The state of a process that was killed at POINT; OPENER is the record that opened the time in
  /// which that does harm, 0 if it is not known.
  Result<EvidenceFacts> of_kill(CrashPoint point, uint64_t opener, const Suspects& suspects);

  /// The state right after RECORD in which LOST (ascending) is missing: CRASHED. KEPT is the record
  /// that makes the loss matter, 0 = none.
  struct PowerLoss {
    const UnitHistory& units;
    uint64_t record;
    const std::vector<UnitId>& lost;
    const FileSystem& crashed;
    uint64_t kept = 0;
  };
  Result<EvidenceFacts> of_power(const PowerLoss& loss, const Suspects& suspects);

 private:
  Result<Moment> tree_after(uint64_t record);
  Result<std::optional<Moment>> next_version(const std::string& path, uint64_t record);
  bool may_spend(uint64_t records, EvidenceFacts& evidence);
  Status add_trees(EvidenceFacts& evidence, Moment before, const StateView& crashed);

  const Trace& trace_;
  const History& history_;
  Seat& judge_;
  Stop stop_;
  std::unique_ptr<StateBuilder> builder_;  // null until it is needed
  std::shared_ptr<EvidenceBudget> budget_;
  std::string printed_before_, events_before_;
};

}  // namespace everycrash
