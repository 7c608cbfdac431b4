// Judging and explaining the states of a power loss under one model.
#pragma once

#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "harness/check/power_state_maker.h"
#include "harness/cli/campaign.h"
#include "harness/explain/power_clusters.h"
#include "harness/explore/power_builder.h"
#include "harness/explore/power_states.h"

namespace everycrash::cli {

/// Promises that a power loss broke and that are only noted: what a program prints is held against
/// it only where somebody said that it is a promise (--ack). Not thread-safe.
class NotedPromises {
 public:
  explicit NotedPromises(const TestOptions& options);
  /// COMPLAINTS without those that are only noted.
  [[nodiscard]] std::vector<Complaint> held_against(std::vector<Complaint> complaints) const;
  /// Counts one state, if it breaks a promise that is only noted.
  void note(const std::vector<Complaint>& complaints);
  [[nodiscard]] uint64_t states() const { return states_; }
  [[nodiscard]] const std::string& first() const { return first_; }

 private:
  bool noted_;  // false: they count, and nothing is taken
  uint64_t states_ = 0;
  std::string first_;
};

/// One model's exploration. Refers to CAMPAIGN and EXPLORER. One thread; its workers have their
/// own. Of a state that survived nothing is kept, of one that failed four bytes and its crash
/// point, once its cause is known; some thousands may wait for that.
class PowerCampaign {
 public:
  PowerCampaign(Campaign& campaign, PowerExplorer& explorer);

  /// Judges all states that the explorer hands out, in portions, and finds the causes of what
  /// failed.
  Status run(const std::string& what);
  /// Adds what was found to the document.
  Status report(CrashKind crash, const PowerOptions& options);

  [[nodiscard]] reports::Coverage& coverage() { return coverage_; }

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
  bool take_portion();
  [[nodiscard]] bool ends_at_failure() const;
  [[nodiscard]] bool is_late(std::chrono::steady_clock::time_point began) const;
  Result<bool> judge_portion(const std::string& what);
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
  reports::Coverage coverage_;
};

}  // namespace everycrash::cli
