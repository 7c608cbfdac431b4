// What the minimal state of a finding looks like, for people who read a report: what was lost, the
// trees, and the broken file before and after.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/check/judge.h"
#include "harness/explore/crash_point.h"
#include "harness/explore/state_builder.h"
#include "harness/model/floor.h"
#include "harness/model/unit.h"
#include "harness/trace/trace.h"
#include "reports/result.h"

namespace everycrash::cli {

/// What evidence may cost over all findings of a document: counts, never time, so that equal runs
/// give equal documents.
struct EvidenceBudget {
  uint64_t records = 1'000'000;  ///< of traces, walked
  uint64_t runs = 50;            ///< of what runs after a crash
  uint64_t rows = 4000;          ///< of trees
  uint64_t bytes = 256 * 1024;   ///< of files
};

/// Fills Finding::evidence; where the budget is used up, the finding says so. Refers to all that it
/// is given. Not thread-safe.
class EvidenceCollector {
 public:
  EvidenceCollector(const Trace& trace, const History& history, StateJudge& judge)
      : trace_(trace),
        history_(history),
        judge_(judge),
        budget_(std::make_shared<EvidenceBudget>()) {}

  /// A run that another one came before, which had PRINTED and done EVENTS.
  struct LaterRun {
    const Trace& trace;
    const History& history;
    std::string printed;
    std::string events;
  };
  /// For the findings of RUN, out of the budget of this one.
  [[nodiscard]] EvidenceCollector of_later_run(LaterRun run) const {
    EvidenceCollector collector(run.trace, run.history, judge_);
    collector.budget_ = budget_;
    collector.printed_before_ = std::move(run.printed);
    collector.events_before_ = std::move(run.events);
    return collector;
  }

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
  std::shared_ptr<EvidenceBudget> budget_;
  std::string printed_before_, events_before_;
};

/// From when on each of OPERATIONS is safe, see reports::Durability::since. FLOOR is what the syncs
/// guarantee.
[[nodiscard]] std::vector<int64_t> durable_since(
    const UnitHistory& units, const Floor& floor,
    const std::vector<reports::TimelineOperation>& operations);

}  // namespace everycrash::cli
