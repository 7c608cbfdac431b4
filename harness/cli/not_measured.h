// States that nobody could judge: whose checker is flaky, and how a document says why. The
// functions are pure and thread-safe, but for what they add to what they are given.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/check/examination.h"
#include "harness/check/judge.h"
#include "harness/check/verdict.h"
#include "reports/result.h"

namespace everycrash::cli {

class StateWatch;

/// Lends a judge of the panel to an examination. A state that fails by a program that was run on it
/// is judged again, as long as that costs little beside the rest: what passes then is not
/// measured, and its checker is called flaky.
class LentJudge : public StateJudgement {
 public:
  explicit LentJudge(StateJudge& judge, StateWatch* watch = nullptr)
      : judge_(judge), watch_(watch) {}
  Result<std::vector<Complaint>> judge(const StateView& state) override;

 private:
  StateJudge& judge_;
  StateWatch* watch_;
  uint64_t judged_ = 0, judged_again_ = 0;
};

/// What SAID holds against a state, but that which AGAIN, said of it later, does not repeat: this
/// is not measured.
[[nodiscard]] std::vector<Complaint> without_flaky(std::vector<Complaint> said,
                                                   const std::vector<Complaint>& again);

/// Adds to REASONS why a state with these complaints could not be judged.
void add_reasons(const std::vector<Complaint>& complaints, std::set<std::string>& reasons);
/// Adds to the document why states could not be judged, each reason once.
void tell_reasons(const std::set<std::string>& reasons, reports::ResultDocument& document);
void tell_not_measured(const Examined& examined, reports::ResultDocument& document);

}  // namespace everycrash::cli
