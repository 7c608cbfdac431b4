#include "harness/check/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "harness/check/oracles/all_oracles.h"
#include "harness/check/selection.h"
#include "harness/check/undisturbed_runs.h"

namespace everycrash {

Result<Selection> StateJudge::decide(const std::function<Status(bool other)>& set_clock) {
  RunsInSandbox runs(runner_, grounds_, set_clock);
  return select_oracles(grounds_, runs);
}

Status StateJudge::check_undisturbed() {
  undisturbed_ = true;
  const Result<std::vector<Complaint>> complaints = judge(final_state(grounds_.history));
  undisturbed_ = false;
  if (!complaints) return tl::unexpected(complaints.error());
  if (complaints->empty()) return {};
  const Complaint& complaint = complaints->front();
  switch (complaint.verdict) {
    case Verdict::kHarnessBroken:
      return harness_error(complaint.message);
    case Verdict::kNotMeasured:
      return harness_error("even without a crash the state cannot be judged: " + complaint.message);
    default:
      return harness_error(
          fmt::format("even without a crash the state is rejected: {}\n"
                      "Nothing can be said of crash states before that is right.",
                      complaint.message));
  }
}

Result<std::vector<Complaint>> StateJudge::judge(const StateView& state) {
  Result<std::vector<Complaint>> by_commands = commands_.judge(state, undisturbed_);
  if (!by_commands) return by_commands;
  Seen seen{.grounds = grounds_, .state = state};
  NextRun next;
  if (grounds_.selection.resumes()) {
    const Result<RunAgain> again = resume(state);
    if (!again) return tl::unexpected(again.error());
    // Where recovery fails, that is held against the state where the checker runs.
    if (again->failed) by_commands->push_back(held(*again->failed, undisturbed_));
    if (again->tree) {
      next = next_run_of(grounds_, state, *again);
      seen.next = &next;
    }
  }
  std::vector<Complaint> complaints;
  ask_oracles(Oracle::Sees::kState, seen, complaints);
  std::move(by_commands->begin(), by_commands->end(), std::back_inserter(complaints));
  if (seen.next != nullptr) ask_oracles(Oracle::Sees::kNextRun, seen, complaints);
  return complaints;
}

Result<RunAgain> StateJudge::resume(const StateView& state) {
  Result<RunAgain> again = runner_.run_again(state, grounds_.options.limit_ms);
  if (again && again->timed_out()) {
    again = runner_.run_again(state, grounds_.options.limit_ms * kPatience);
  }
  return again;
}

Result<Aftermath> StateJudge::aftermath(const StateView& state) {
  const Selection& selection = grounds_.selection;
  if (!grounds_.options.recover.empty()) return runner_.aftermath(state, Judge::kRecovery);
  if (selection.resumes()) return runner_.aftermath(state, Judge::kResume);
  if (selection.has(Judge::kChecker)) return runner_.aftermath(state, Judge::kChecker);
  return Aftermath{};
}

}  // namespace everycrash
