// Rounds of lives with random faults: each life of a round starts on what the one before it left,
// the last one is left in peace, and what they leave is judged.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/campaign/chaos_counts.h"
#include "harness/check/verdict.h"
#include "harness/inject/chaos_plan.h"
#include "harness/model/file_system.h"
#include "harness/record/child_process.h"

namespace everycrash {

class FaultedRuns;
class Seat;
class SinkMemory;
class Trace;
struct ChaosRound;

/// The faults of a life, and how it ended.
struct ChaosLifeFacts {
  std::vector<std::string> faults;
  ProcessEnd end = TimedOut{};
  bool endless = false;
};

/// A round after which a judge rejects what is left, or the workload cannot go on.
struct ChaosFailure {
  uint64_t round = 0;
  /// The violations; none: the workload fails although it is left in peace.
  std::vector<Complaint> complaints;
  ProcessEnd end = TimedOut{};  ///< of the workload that was left in peace
  std::string stderr_tail;      ///< of the same
  std::vector<ChaosLifeFacts> lives;
  std::string failed_stderr_tail;  ///< of the last life that failed by itself
  FileSystem tree;                 ///< what they left
  std::string printed;

  /// The broken file, "" if it is not one.
  [[nodiscard]] std::string path() const;
};

/// Failures that are alike: the first one, and the rounds of all.
struct ChaosCluster {
  std::string key;
  ChaosFailure first;
  std::vector<uint64_t> rounds;

  /// 12 hexadecimal digits, stable as long as the cause is.
  [[nodiscard]] std::string id() const;
};

/// By what tells them apart: the judge, and the file or what the judge printed, with its numbers
/// left out. A value.
class ChaosClusters {
 public:
  void add(ChaosFailure failure);
  [[nodiscard]] const std::map<std::string, ChaosCluster>& by_key() const { return clusters_; }

 private:
  std::map<std::string, ChaosCluster> clusters_;
};

/// Refers to all that it is given. For one thread.
class ChaosCampaign {
 public:
  /// Called with each failure as it comes.
  using Tell = std::function<void(const ChaosFailure& failure)>;

  /// RUNS and JUDGE are of the recorded run TRACE.
  ChaosCampaign(uint64_t seed, const Trace& trace, FaultedRuns& runs, Seat& judge, Tell tell);

  /// Plays round NUMBER, the same for the same seed. Fails if the machine does, with kInterrupted
  /// after an interrupt.
  Status play(uint64_t number);

  [[nodiscard]] ChaosCounts& counts() { return counts_; }
  [[nodiscard]] const ChaosClusters& failures() const { return failures_; }

 private:
  Status live(const ChaosLife& life, ChaosRound& round);
  Result<bool> recover(const ChaosRound& round);
  Result<Verdict> judge(const ChaosRound& round);
  void note(const ChaosRound& round, ChaosFailure failure);

  ChaosGround ground_;
  const Trace& trace_;
  FaultedRuns& runs_;
  Seat& judge_;
  Tell tell_;
  ChaosCounts counts_;
  ChaosClusters failures_;
};

}  // namespace everycrash
