// Judging a run in which a call failed: it must report that, or have worked all the same; and what
// it left must be good, be there a restart after it or not.
//
// What is held against a run:
//
//   endless          it goes on when it has made many times the calls of an undisturbed one
//   silent success   without a checker: it ends with exit status 0, but a file of the undisturbed
//                    run is missing, empty, or only its beginning is there
//   the checker and the oracles, on what it left; with what it had printed as promises
//   the same once more, where a sync failed, without the data that is then on no disk
//   resume           without checker and resume oracle, where a second undisturbed run succeeds: so
//                    must one on what the failed run left
//
// Oracles that compare with the versions of the undisturbed run are believed only as far as a run
// with a failed call is comparable: a file that is empty or cut is broken, another content is not.
// A run that reports the failure may leave a file half that it had never finished before.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "harness/campaign/seat.h"
#include "harness/check/examination.h"
#include "harness/inject/fault_sweep.h"
#include "harness/inject/faulted_runs.h"

namespace everycrash {

/// What undisturbed runs have shown, for the judges of all workers; read-only.
struct FaultGrounds {
  const History* history = nullptr;
  const IgnoreGlobs* ignore = nullptr;  ///< files in which equal runs may differ
  std::set<std::string> wandering;      ///< files that differ between two undisturbed runs
  bool has_checker = false;
  bool restarts = false;  ///< a second undisturbed run succeeds, and nobody else looks at that
  std::vector<std::string> base_faults;  ///< that every run meets besides
  uint64_t seed = 1;
};

/// Makes states by running the workload with one fault of SWEEP each. For one thread; SWEEP, CHOSEN
/// (positions in it) and GROUNDS must outlive it.
class FaultMaker : public StateMaker {
 public:
  FaultMaker(std::unique_ptr<FaultedRuns> runs, const std::vector<SweptFault>& sweep,
             const std::vector<uint32_t>& chosen, const FaultGrounds& grounds)
      : runs_(std::move(runs)), sweep_(sweep), chosen_(chosen), grounds_(grounds) {}
  Result<StateView> make(size_t number) override;

  [[nodiscard]] const FaultedRun& run() const { return run_; }
  [[nodiscard]] const SweptFault& fault() const { return *fault_; }
  [[nodiscard]] FaultedRuns& runs() { return *runs_; }

 private:
  std::unique_ptr<FaultedRuns> runs_;
  const std::vector<SweptFault>& sweep_;
  const std::vector<uint32_t>& chosen_;
  const FaultGrounds& grounds_;
  const SweptFault* fault_ = nullptr;
  FaultedRun run_;
  std::string unavailable_;
};

/// True of what is said about a fault that no call of its run met, so that nothing was tried.
[[nodiscard]] bool never_came(const std::vector<Complaint>& complaints);

/// Judges what MAKER has made last; it, JUDGE and GROUNDS must outlive this.
class FaultedJudgement : public StateJudgement {
 public:
  FaultedJudgement(Seat& judge, FaultMaker& maker, const FaultGrounds& grounds)
      : judge_(judge), maker_(maker), grounds_(grounds) {}
  Result<std::vector<Complaint>> judge(const StateView& state) override;

 private:
  using Complaints = std::vector<Complaint>;
  Result<Complaints> judge_tree(const FileSystem& tree);
  [[nodiscard]] Complaints find_silent_loss() const;
  Result<Complaints> judge_restart();
  [[nodiscard]] bool is_excused(const Complaint& complaint) const;
  [[nodiscard]] bool is_comparable(const Complaint& complaint, const FileSystem& tree) const;
  [[nodiscard]] std::string how_it_ended() const;

  Seat& judge_;
  FaultMaker& maker_;
  const FaultGrounds& grounds_;
};

}  // namespace everycrash
