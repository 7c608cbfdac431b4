// Who sees every crash state of a run and of its recoveries: judges each distinct one once, and
// keeps those from which recovery is to be crashed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "harness/campaign/campaign.h"
#include "harness/campaign/noted_promises.h"
#include "harness/check/judge.h"
#include "harness/check/stages.h"
#include "harness/explore/crash_point.h"
#include "harness/model/file_system.h"

namespace everycrash {

struct CrashedRun;

/// One crash in a chain: of which run, where, and how.
struct ChainLink {
  std::shared_ptr<const CrashedRun> run;  ///< null: the recorded run
  CrashKind crash;                        ///< "kill" or "power"
  std::string model;                      ///< "" for a kill
  CrashPoint point;
  std::vector<UnitId> lost;
};

/// A state that a chain of crashes left, from which recovery starts.
struct RecoveryStart {
  FileSystem tree;
  std::string printed;  ///< by all runs of the chain
  std::string events;
  SinkMemory sink{SinkOptions{}};         ///< what the receiver had done by then
  std::shared_ptr<const ChainLink> link;  ///< the last crash
};

/// Where a recovery comes from.
struct RunOrigin {
  std::filesystem::path file;  ///< its trace
  std::string printed;         ///< by the runs before those in the trace
  std::string events;
  SinkMemory sink{SinkOptions{}};           ///< what the receiver had done before them
  std::shared_ptr<const ChainLink> before;  ///< the crash that it recovers from
  /// Where a kill came before it and the power fails later, the trace holds the killed runs too: so
  /// many, and the recovery begins with that record.
  uint32_t continues = 0;
  uint64_t begin = 0;
};

/// A recorded recovery, whose own crash states are explored. Immutable.
struct CrashedRun : RunOrigin {
  Trace trace;
  History history;
  Promises promises;
  FoundEffects effects;
  Stages stages;
};

/// Two states are one if the trees are equal, the same effects had happened, and the same had been
/// printed, whatever crashes led there. Threads may call judge() at once; all else is for one.
class AgainWatch : public StateWatch {
 public:
  /// RECORDED: the stages of the recorded run.
  AgainWatch(bool prints_are_promises, Stages recorded)
      : promises_(prints_are_promises), recorded_(std::move(recorded)) {}

  /// From now on states are of RUN (null: the recorded one), after a crash of that kind. With
  /// COLLECT, those that survive are kept as starts.
  void begin(std::shared_ptr<const CrashedRun> run, CrashKind crash, std::string model,
             bool collect);
  Result<std::vector<Complaint>> judge(Seat& judge, const StateView& state) override;

  /// The starts that were found since the last call, in an order that does not depend on the
  /// workers.
  [[nodiscard]] std::vector<RecoveryStart> take_starts();
  /// Distinct states judged since the last call.
  [[nodiscard]] uint64_t take_new() { return std::exchange(new_, 0); }
  /// Starts that were not kept, because there were too many.
  [[nodiscard]] uint64_t dropped() const { return dropped_; }
  /// Starts that were not kept, because it was not asked for.
  [[nodiscard]] uint64_t deeper() const { return deeper_; }

 private:
  static constexpr size_t kStartsMax = 20'000;  // each holds a tree, which shares its pages
  void note(const StateView& state, const SinkMemory& sink, const Digest& start,
            std::vector<Complaint> complaints);

  NotedPromises promises_;
  Stages recorded_;
  std::shared_ptr<const CrashedRun> run_;
  CrashKind crash_ = CrashKind::kKill;
  std::string model_;
  bool collect_ = false;

  std::mutex mutex_;
  std::unordered_map<Digest, std::vector<Complaint>> known_;  // by state, and who promised what
  std::unordered_set<Digest> seen_;                           // states
  std::unordered_set<Digest> started_;                        // tree and effects
  std::vector<RecoveryStart> starts_;
  uint64_t new_ = 0, dropped_ = 0, deeper_ = 0;
};

}  // namespace everycrash
