#include "harness/campaign/lent_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/campaign/campaign.h"
#include "harness/campaign/seat.h"

namespace everycrash {
namespace {

/// True if a program that was run on the state rejects it, which can be by luck. One that hangs was
/// given more time already, which is long to wait for once more.
bool fails_by_program(const std::vector<Complaint>& complaints) {
  return std::any_of(complaints.begin(), complaints.end(), [](const Complaint& complaint) {
    return is_violation(complaint) && complaint.judge != Judge::kHalfFile &&
           complaint.judge != Judge::kAcknowledged && complaint.wrong != Wrong::kTimedOut;
  });
}

}  // namespace

std::vector<Complaint> without_flaky(std::vector<Complaint> said,
                                     const std::vector<Complaint>& again) {
  for (Complaint& complaint : said) {
    if (!is_violation(complaint)) continue;
    const bool repeated = std::any_of(again.begin(), again.end(), [&](const Complaint& other) {
      return is_violation(other) && other.judge == complaint.judge;
    });
    if (repeated) continue;
    complaint.verdict = Verdict::kNotMeasured;
    complaint.wrong = Wrong::kFlaky;
    complaint.message = fmt::format(
        "the {} is flaky: it failed on a state and passed when asked again; make it "
        "depend on the files alone (no clock, no randomness, no race)",
        name_of(complaint.judge));
  }
  return said;
}

Result<std::vector<Complaint>> LentJudge::judge(const StateView& state) {
  // A failing state is judged so often again; at most so many judgements, and one in so many of
  // all.
  constexpr int kAgain = 3;
  constexpr uint64_t kAlways = 200, kOneIn = 5;
  Result<std::vector<Complaint>> said =
      watch_ != nullptr ? watch_->judge(judge_, state) : judge_.judge(state);
  ++judged_;
  if (watch_ != nullptr) return said;  // it adds what is not said again
  for (int i = 0; i < kAgain && said && fails_by_program(*said); ++i) {
    if (judged_again_ >= kAlways + judged_ / kOneIn) break;
    ++judged_again_;
    const Result<std::vector<Complaint>> again = judge_.judge(state);
    if (!again) return tl::unexpected(again.error());
    said = without_flaky(std::move(*said), *again);
  }
  return said;
}

void add_reasons(const std::vector<Complaint>& complaints, std::set<std::string>& reasons) {
  for (const Complaint& complaint : complaints) {
    if (complaint.verdict == Verdict::kNotMeasured) reasons.insert(complaint.message);
  }
}

std::set<std::string> reasons_of(const Examined& examined) {
  std::set<std::string> reasons;
  for (const std::vector<Complaint>& complaints : examined.complaints) {
    add_reasons(complaints, reasons);
  }
  return reasons;
}

}  // namespace everycrash
