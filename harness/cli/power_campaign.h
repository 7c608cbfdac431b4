// Judging and explaining the states of a power loss under one model.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "harness/check/power_state_maker.h"
#include "harness/cli/exploration.h"
#include "harness/explain/power_clusters.h"
#include "harness/explore/power_builder.h"
#include "harness/explore/power_states.h"

namespace everycrash::cli {

/// Promises that a power loss broke and that are only noted: what a program prints is held against
/// it only where somebody said that it is a promise (--ack). Thread-safe.
class NotedPromises {
 public:
  explicit NotedPromises(const TestOptions& options);
  /// COMPLAINTS without those that are only noted.
  std::vector<Complaint> take_from(std::vector<Complaint> complaints);
  [[nodiscard]] uint64_t states() const { return states_; }
  [[nodiscard]] const std::string& first() const { return first_; }

 private:
  bool noted_;  // false: they count, and nothing is taken
  std::mutex mutex_;
  uint64_t states_ = 0;
  std::string first_;
};

/// One model's exploration. Refers to CAMPAIGN and EXPLORER. One thread; its workers have their
/// own.
class PowerCampaign {
 public:
  PowerCampaign(Campaign& campaign, PowerExplorer& explorer);

  /// Judges all states that the explorer hands out, in portions.
  Status run(const std::string& what);
  /// Finds the causes of what failed and adds them to the document.
  Status explain(const std::string& crash, const PowerOptions& options);

  [[nodiscard]] reports::Coverage& coverage() { return coverage_; }

 private:
  bool take_portion();
  void note(const PowerState& state, const std::vector<Complaint>& complaints);
  Result<const std::vector<Complaint>*> complaints_at(uint64_t record,
                                                      const std::vector<UnitId>& lost);

  Campaign& campaign_;
  PowerExplorer& explorer_;
  NotedPromises noted_;
  Outputs outputs_;
  PowerStateBuilder builder_;
  std::vector<PowerState> portion_;
  std::vector<Worker> workers_;
  std::vector<PowerState> failures_;
  reports::Coverage coverage_;
};

}  // namespace everycrash::cli
