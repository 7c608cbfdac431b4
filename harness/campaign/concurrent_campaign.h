// `--concurrent`: a second runner, while the first one stands still.
//
// The workload is started twice in one state directory. The first instance stands still before each
// of its operations in turn, the second one goes on meanwhile, to its end or until it waits for the
// first; then the first goes on, or is killed. That is every order of their operations with one
// preemption; then come those with two. What is left in the end is judged as crash states are, and
// against two runs one after the other (harness/check/oracles/serial.h).
//
// They start in the state directory as the workload found it, and, where the workload makes a file
// that is there only while it runs (a lock), on what a crash left that had it, a day later.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/campaign/campaign.h"
#include "harness/check/oracles/serial.h"
#include "harness/effects/found_effects.h"
#include "harness/inject/runner_orders.h"
#include "harness/inject/two_runners.h"

namespace everycrash {

/// Refers to CAMPAIGN, which must outlive it. One thread.
class ConcurrentCampaign {
 public:
  explicit ConcurrentCampaign(Campaign& campaign);

  /// Explores, and adds coverage and findings to the facts of the campaign. Fails with kHarness
  /// where two runs one after the other are rejected: nothing could be said then.
  Status run();

 private:
  /// What the two find.
  struct Start {
    FileSystem tree;
    std::string printed;
    std::string events;
    SinkMemory sink;                  ///< what the receiver had done by then
    std::optional<CrashPoint> crash;  ///< that left it
    std::string lock;                 ///< the file that makes it worth a look
  };
  /// The two one after the other, from a start.
  struct Serial {
    SerialRuns runs;
    std::filesystem::path file;
    SerialSteps steps;
  };
  struct Judged {
    PairRun run;
    std::shared_ptr<const Trace> trace;
    FoundEffects effects;
    std::vector<Complaint> complaints;
  };

  Result<std::vector<Start>> starts() const;
  Result<std::optional<Serial>> measure(const Start& start);
  Status explore(const Start& start);
  Status explore_schedules(const Start& start, const Serial& serial,
                           const std::vector<TurnSchedule>& schedules);
  Result<Judged> try_out(const Start& start, const Serial* serial, const TurnSchedule& schedule);
  Result<bool> fails_alone(const Start& start, const Judged& judged);
  Result<std::vector<Complaint>> judge(const Start& start, const Judged& judged,
                                       const History& history, const Serial* serial);
  Status take(const Start& start, const Serial& serial, const Judged& judged);
  void add_finding(const Start& start, const Serial& serial, const Judged& judged,
                   const Complaint& said);
  void finish();
  [[nodiscard]] bool is_over() const;
  void give_share(uint64_t starts);

  Campaign& campaign_;
  const CampaignPlan& plan_;
  bool by_serial_;  ///< no checker: the serial oracle applies
  std::unique_ptr<TwoRunners> runners_;
  CoverageFacts coverage_;
  std::vector<Gap> remarks_;
  std::set<std::string> unjudged_;  // orders: why
  std::set<Digest> ends_;
  std::map<std::string, size_t> findings_;  // by id, position in the facts
  uint64_t one_ = 0, one_of_ = 0, two_ = 0, two_of_ = 0;
  /// Where the exploration of one start ends.
  struct {
    std::optional<uint64_t> states;  ///< checked, in all
    std::optional<std::chrono::steady_clock::time_point> end;
  } share_;
  uint64_t endless_ = 0;      ///< orders in which the first was killed, and the second did not end
  uint64_t starts_left_ = 0;  ///< with all their orders
};

}  // namespace everycrash
