// What the explorations of the crash kinds share while they run, and who may watch them.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/base/digest.h"
#include "harness/base/error.h"
#include "harness/check/examination.h"
#include "harness/cli/document_builder.h"
#include "harness/cli/effect_tally.h"
#include "harness/cli/evidence.h"
#include "harness/cli/exploration.h"
#include "harness/cli/verdicts.h"
#include "reports/terminal.h"

namespace everycrash::cli {

/// Stands between the explorations and the judges: sees every state and what is said of it, and may
/// add what the exploration does not know. Called by all workers at once.
class StateWatch {
 public:
  virtual ~StateWatch() = default;
  virtual Result<std::vector<Complaint>> judge(StateJudge& judge, const StateView& state) = 0;
};

/// What the explorations of the crash kinds share while they run.
struct Campaign {
  const Exploration& exploration;
  Panel& panel;
  DocumentBuilder& builder;
  reports::Terminal& terminal;  ///< for progress
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
  Shard shard = {};
  Verdicts verdicts = {};
  EvidenceCollector evidence;
  std::set<uint64_t> crashed = {};  ///< records at which, or right after which, a crash was judged
  std::unordered_map<Digest, std::string> causes = {};  ///< by failing tree: the finding
  StateWatch* watch = nullptr;                          ///< may be null
  /// Which findings are to be shown as they look; null = all.
  std::function<bool(const reports::Finding&)> shows = nullptr;
  bool brief = false;        ///< one of many: call sites are not of interest
  uint64_t from_record = 0;  ///< of power losses, only those at or behind this record
  EffectTally effects = {};

  /// Options for examine(): the deadline, interrupts, and a progress line about WHAT.
  [[nodiscard]] ExaminationOptions examination(const std::string& what, size_t total) const;
  /// FINDING is to be shown as it looks, and there is time for that.
  [[nodiscard]] bool wants_evidence(const reports::Finding& finding) const;
  /// The time is over, or an interrupt came.
  [[nodiscard]] bool is_over() const;
  /// --fail-fast asks for an end, since there is a finding.
  [[nodiscard]] bool ends_at_finding() const;
  /// This run was, or one of the shards that are merged.
  [[nodiscard]] bool was_interrupted() const;
};

/// The campaign of EXPLORATION before anything is explored; refers to all that it is given. Fails
/// with kUsage for a --budget that is no time, with kHarness where a shard's verdicts are damaged.
[[nodiscard]] Result<Campaign> make_campaign(const Exploration& exploration, Panel& panel,
                                             DocumentBuilder& builder, reports::Terminal& terminal,
                                             const Shard& shard);

}  // namespace everycrash::cli
