// What the explorations of the crash kinds share while they run, and who may watch them.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/base/digest.h"
#include "harness/base/error.h"
#include "harness/campaign/evidence.h"
#include "harness/campaign/facts.h"
#include "harness/campaign/plan.h"
#include "harness/campaign/progress.h"
#include "harness/campaign/run_makers.h"
#include "harness/campaign/stop.h"
#include "harness/campaign/verdicts.h"
#include "harness/check/stages.h"

namespace everycrash {

class RunNames;
class Seat;
class Workspace;
struct ExaminationOptions;
struct Grounds;
struct Panel;
struct RecordOptions;
struct StateView;
struct Workload;

/// What a campaign runs on; all of it must outlive the campaign.
struct CampaignInput {
  const CampaignPlan& plan;
  const Workload& workload;
  const Workspace& workspace;
  const Trace& trace;
  Panel& panel;
  const RunNames& names;  ///< of `trace`
  Progress& progress;
  Stop stop;
  /// What shards have said, where they are merged: nothing is judged but what is needed to explain.
  const ToldShards* told = nullptr;
  const RunMakers& runs = real_runs();
};

/// Stands between the explorations and the judges: sees every state and what is said of it, and may
/// add what the exploration does not know. Called by all workers at once.
class StateWatch {
 public:
  virtual ~StateWatch() = default;
  virtual Result<std::vector<Complaint>> judge(Seat& judge, const StateView& state) = 0;
};

/// What the explorations of the crash kinds share while they run. For one thread.
struct Campaign {
  CampaignInput input;
  EvidenceCollector evidence;
  Stages stages;  ///< of the run that is explored
  CampaignFacts facts = {};
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
  Verdicts verdicts = {};
  std::unordered_map<Digest, std::string> causes = {};  ///< by failing tree: the finding
  StateWatch* watch = nullptr;                          ///< may be null
  /// Which findings are to be shown as they look; null = all.
  std::function<bool(const std::string& id)> shows = nullptr;
  RunReference run = {};     ///< that is explored
  bool brief = false;        ///< one of many: call sites are not of interest
  bool silent = false;       ///< nor is progress among its states
  uint64_t from_record = 0;  ///< of power losses, only those at or behind this record

  [[nodiscard]] const CampaignPlan& plan() const { return input.plan; }
  [[nodiscard]] const Trace& trace() const { return input.trace; }
  [[nodiscard]] Panel& panel() const { return input.panel; }
  [[nodiscard]] const Grounds& grounds() const;
  /// What names the call with a stack, for keys of findings.
  [[nodiscard]] SiteOf sites() const;

  /// What record() needs to know to run the workload as it was recorded, into TRACE_FILE.
  [[nodiscard]] Result<RecordOptions> recorder(const std::filesystem::path& trace_file) const;
  /// Options for examine(): the deadline, interrupts, and progress.
  [[nodiscard]] ExaminationOptions examination(CrashKind crash, const std::string& model,
                                               size_t total) const;
  /// The finding of that id is to be shown as it looks, and there is time for that.
  [[nodiscard]] bool wants_evidence(const std::string& id) const;
  /// The time is over, or an interrupt came.
  [[nodiscard]] bool is_over() const;
  /// --fail-fast asks for an end, since there is a finding.
  [[nodiscard]] bool ends_at_finding() const;
  /// This run was, or one of the shards that are merged.
  [[nodiscard]] bool was_interrupted() const;
  /// Says why states could not be judged, each reason once, up to a number of them.
  void tell_unjudged(const std::set<std::string>& reasons);
};

/// The campaign of INPUT before anything is explored. Fails with kHarness where a shard's verdicts
/// are damaged.
[[nodiscard]] Result<Campaign> make_campaign(const CampaignInput& input);

}  // namespace everycrash
