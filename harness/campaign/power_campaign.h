// Judging and explaining the states of a power loss under one model.
#pragma once

#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "harness/campaign/campaign.h"
#include "harness/campaign/noted_promises.h"
#include "harness/check/power_state_maker.h"
#include "harness/explain/power_clusters.h"
#include "harness/explore/power_builder.h"
#include "harness/explore/power_states.h"

namespace everycrash {

/// One model's exploration. Refers to CAMPAIGN and EXPLORER. One thread; its workers have their
/// own. Of a state that survived nothing is kept, of one that failed four bytes and its crash
/// point, once its cause is known; some thousands may wait for that.
class PowerCampaign {
 public:
  PowerCampaign(Campaign& campaign, PowerExplorer& explorer);

  /// Judges all states that the explorer hands out, in portions, and finds the causes of what
  /// failed.
  Status run(CrashKind crash, const std::string& model);
  /// Adds what was found to the facts of the campaign.
  Status report(CrashKind crash, const PowerOptions& options);

  [[nodiscard]] CoverageFacts& coverage() { return coverage_; }

 private:
  struct Failure {
    PowerState state;
    std::vector<Complaint> complaints;
  };
  /// What the states of one cluster have in common beside their cause.
  struct Gathered {
    std::vector<Complaint> complaints;  // against the first
    std::set<CrashPoint> points;
    std::vector<Digest> trees;
  };
  [[nodiscard]] Digest key_of(const Digest& tree, uint64_t record) const;
  bool take_portion();
  [[nodiscard]] bool ends_at_failure() const;
  [[nodiscard]] bool is_late(std::chrono::steady_clock::time_point began) const;
  Result<bool> judge_portion(CrashKind crash, const std::string& model);
  Status add_finding(const PowerCause& cause, Gathered& gathered, uint64_t states,
                     const PowerOptions& options, CrashKind crash);
  Result<EvidenceFacts> evidence_of(const FindingFacts& finding, const PowerCause& cause);
  void note(const PowerState& state, const std::vector<Complaint>& complaints);
  Status explain_waiting();
  Result<std::vector<Complaint>> complaints_at(uint64_t record, const std::vector<UnitId>& lost);
  Result<bool> fails_alike(uint64_t record, const std::vector<UnitId>& lost, const Complaint& said);

  Campaign& campaign_;
  PowerExplorer& explorer_;
  NotedPromises noted_;
  Outputs outputs_;
  PowerStateBuilder builder_;
  std::vector<PowerState> portion_;
  std::vector<std::vector<Complaint>> known_;  // by state of the portion, where it is not new
  std::vector<uint32_t> new_;                  // states of the portion that nobody judged yet
  std::vector<Worker> workers_;
  std::vector<Failure> waiting_;  // failing states whose cause is not looked for yet
  PowerClusters clusters_;
  std::vector<Gathered> gathered_;      // by cluster
  std::set<std::string> not_measured_;  // why
  uint32_t failures_ = 0;
  uint64_t taken_ = 0;
  CoverageFacts coverage_;
};

/// Explores power losses, or those on a disk that lies, under one model, into the facts of
/// CAMPAIGN.
[[nodiscard]] Status explore_power(Campaign& campaign, CrashKind crash,
                                   const PersistenceRules& model);

}  // namespace everycrash
