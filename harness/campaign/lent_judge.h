// Judges that several take turns with, and states that nobody could judge. The functions are pure
// and thread-safe, but for what they add to what they are given.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/check/examination.h"
#include "harness/check/verdict.h"

namespace everycrash {

class Seat;
class StateWatch;

/// Lends a judge of the panel to an examination. A state that fails by a program that was run on it
/// is judged again, as long as that costs little beside the rest: what passes then is not
/// measured, and its checker is called flaky.
class LentJudge : public StateJudgement {
 public:
  explicit LentJudge(Seat& judge, StateWatch* watch = nullptr) : judge_(judge), watch_(watch) {}
  Result<std::vector<Complaint>> judge(const StateView& state) override;

 private:
  Seat& judge_;
  StateWatch* watch_;
  uint64_t judged_ = 0, judged_again_ = 0;
};

/// What SAID holds against a state, but that which AGAIN, said of it later, does not repeat: this
/// is not measured.
[[nodiscard]] std::vector<Complaint> without_flaky(std::vector<Complaint> said,
                                                   const std::vector<Complaint>& again);

/// Adds to REASONS why a state with these complaints could not be judged.
void add_reasons(const std::vector<Complaint>& complaints, std::set<std::string>& reasons);
/// Why states of EXAMINED could not be judged.
[[nodiscard]] std::set<std::string> reasons_of(const Examined& examined);

}  // namespace everycrash
