// Judging what real kills left, by oracles that know only the recorded run.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/check/examination.h"

namespace everycrash {

/// Makes states by killing the program for real, and beside each the recorded state of that point.
/// For one thread.
class LiveStates : public StateMaker {
 public:
  LiveStates(std::unique_ptr<StateMaker> live, std::unique_ptr<StateMaker> rebuilt)
      : live_(std::move(live)), rebuilt_(std::move(rebuilt)) {}
  Result<StateView> make(size_t number) override;

  /// True if PATH is not what it was at this point of the recorded run.
  [[nodiscard]] bool wanders(const std::string& path) const;

 private:
  std::unique_ptr<StateMaker> live_, rebuilt_;
  std::set<std::string> wandering_;  // a folder stands for all in it
};

/// A judge that does not hold the versions of the recorded run against a file whose content is not
/// the same in each run (a time, a random number): that is not measured. STATES must outlive it.
class LiveJudgement : public StateJudgement {
 public:
  LiveJudgement(std::unique_ptr<StateJudgement> judge, const LiveStates& states)
      : judge_(std::move(judge)), states_(states) {}
  Result<std::vector<Complaint>> judge(const StateView& state) override;

 private:
  std::unique_ptr<StateJudgement> judge_;
  const LiveStates& states_;
};

}  // namespace everycrash
