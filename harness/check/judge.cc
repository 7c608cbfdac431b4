#include "harness/check/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "harness/check/oracles/resume.h"
#include "harness/check/selection.h"

namespace everycrash {
namespace {

constexpr int kPatience = 4;  // times the limit, at the second try
// States that a check server finds fine and the checker itself has to judge too.
constexpr uint64_t kAlwaysSampled = 4;
constexpr uint64_t kSampledEvery = 512;

StateView final_state(const History& history) {
  return {.tree = &history.final_tree(), .printed = history.printed(), .events = history.events()};
}

void append(std::vector<Complaint> more, std::vector<Complaint>& complaints) {
  std::move(more.begin(), more.end(), std::back_inserter(complaints));
}

/// What running it AGAIN on STATE has left.
NextRun next_run_of(const Grounds& grounds, const StateView& state, const RunAgain& again) {
  NextRun next;
  if (again.tree) next = compare_next_run(grounds, state, *again.tree);
  next.events = again.events;
  next.unseen = again.unseen;
  return next;
}

/// Undisturbed runs in the sandbox of a worker.
class RunsInSandbox : public UndisturbedRuns {
 public:
  RunsInSandbox(StateRunner& runner, const Grounds& grounds,
                const std::function<Status(bool other)>& set_clock)
      : runner_(runner), grounds_(grounds), set_clock_(set_clock) {}

  Result<UndisturbedRun> run_again() override { return run(final_state(grounds_.history)); }

  Result<UndisturbedRun> run_from_start() override {
    if (Status ok = set_clock_ ? set_clock_(true) : Status(); !ok) {
      static_cast<void>(set_clock_(false));
      return tl::unexpected(ok.error());
    }
    Result<UndisturbedRun> made = run({.tree = &grounds_.history.initial_tree(), .record = 0});
    const Status restored = set_clock_ ? set_clock_(false) : Status();
    if (made && !restored) return tl::unexpected(restored.error());
    return made;
  }

 private:
  Result<UndisturbedRun> run(const StateView& state) {
    Result<RunAgain> again = runner_.run_again(state, grounds_.options.limit_ms);
    if (!again) return tl::unexpected(again.error());
    NextRun left = next_run_of(grounds_, state, *again);
    return UndisturbedRun{std::move(again->recovery_failed), std::move(again->failed),
                          std::move(left)};
  }

  StateRunner& runner_;
  const Grounds& grounds_;
  const std::function<Status(bool other)>& set_clock_;
};

}  // namespace

Result<Selection> StateJudge::decide(const std::function<Status(bool other)>& set_clock) {
  RunsInSandbox runs(runner_, grounds_, set_clock);
  return select_oracles(grounds_, runs);
}

Status StateJudge::check_undisturbed() {
  undisturbed_ = true;
  const Result<Complaints> complaints = judge(final_state(grounds_.history));
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
  Result<Complaints> by_commands = judge_with_commands(state);
  if (!by_commands) return by_commands;
  Seen seen{.grounds = grounds_, .state = state};
  NextRun next;
  if (grounds_.selection.resumes()) {
    const Result<RunAgain> again = resume(state);
    if (!again) return tl::unexpected(again.error());
    // Where recovery fails, that is held against the state where the checker runs.
    if (again->failed) by_commands->push_back(held(*again->failed));
    if (again->tree) {
      next = next_run_of(grounds_, state, *again);
      seen.next = &next;
    }
  }
  Complaints complaints;
  ask(Oracle::Sees::kState, seen, complaints);
  append(std::move(*by_commands), complaints);
  if (seen.next != nullptr) ask(Oracle::Sees::kNextRun, seen, complaints);
  return complaints;
}

/// Adds what those oracles say that apply and have seen enough now.
void StateJudge::ask(Oracle::Sees sees, const Seen& seen, Complaints& complaints) const {
  for (const Oracle* oracle : all_oracles()) {
    if (oracle->sees() != sees || !grounds_.selection.has(oracle->name())) continue;
    append(oracle->judge(seen), complaints);
  }
}

Complaint StateJudge::held(FailedCommand failed) const {
  failed.undisturbed = undisturbed_;
  return complaint_of(failed);
}

Result<std::vector<Complaint>> StateJudge::judge_with_commands(const StateView& state) {
  const Selection& selection = grounds_.selection;
  if (!selection.has(Judge::kChecker) && !selection.has(Judge::kRecovery)) return Complaints{};
  const bool may_ask = server_ != nullptr && !undisturbed_ && grounds_.options.recover.empty();
  if (!may_ask) return judge_with_checker(state);
  using Answer = CheckServer::Answer;
  const Result<Answer> answer =
      server_->ask({state.tree, state.printed, state.events}, grounds_.options.limit_ms);
  if (!answer) return tl::unexpected(answer.error());
  const uint64_t number = asked_++;
  const bool sampled = number < kAlwaysSampled || number % kSampledEvery == 0;
  if (*answer == Answer::kFine && !sampled) return Complaints{};
  Result<Complaints> said = judge_with_checker(state);
  if (said && *answer != Answer::kNone && said->empty() != (*answer == Answer::kFine)) {
    return harness_error(fmt::format(
        "the checker {} a state in a process that had judged others before, and {} it in a fresh "
        "one\nIt carries something over from one state to the next; run without --check-server.",
        *answer == Answer::kFine ? "accepts" : "rejects", said->empty() ? "accepts" : "rejects"));
  }
  return said;
}

Result<std::vector<Complaint>> StateJudge::judge_with_checker(const StateView& state) {
  const int limit_ms = grounds_.options.limit_ms;
  Result<Complaints> said = attempt_check(state, limit_ms);
  const bool late = said && std::any_of(said->begin(), said->end(), [](const Complaint& each) {
                      return each.wrong == Wrong::kTimedOut;
                    });
  return late ? attempt_check(state, limit_ms * kPatience) : said;
}

Result<std::vector<Complaint>> StateJudge::attempt_check(const StateView& state, int limit_ms) {
  Complaints complaints;
  Status done = runner_.put(state);
  if (done && !grounds_.options.recover.empty()) done = recover(state, limit_ms, complaints);
  if (!done) return tl::unexpected(done.error());
  if (grounds_.selection.has(Judge::kChecker) && complaints.empty()) {
    const Result<std::optional<FailedCommand>> failed = runner_.check(limit_ms);
    if (!failed) return tl::unexpected(failed.error());
    if (*failed) complaints.push_back(held(**failed));
  }
  if (done = runner_.leave(); !done) return tl::unexpected(done.error());
  return complaints;
}

/// Recovers what is there, twice where that is judged.
Status StateJudge::recover(const StateView& state, int limit_ms, Complaints& complaints) {
  const bool again = grounds_.selection.has(Judge::kRecoveryTwice);
  std::optional<FileSystem> trees[2];
  for (std::optional<FileSystem>& left : trees) {
    const Result<std::optional<FailedCommand>> failed = runner_.recover(limit_ms);
    if (!failed) return tl::unexpected(failed.error());
    if (*failed) complaints.push_back(held(**failed));
    if (*failed || !again) return {};
    Result<FileSystem> tree = runner_.tree();
    if (!tree) return tl::unexpected(tree.error());
    left.emplace(std::move(*tree));
  }
  ask(Oracle::Sees::kRecoveries,
      {.grounds = grounds_, .state = state, .recovered = &*trees[0], .recovered_twice = &*trees[1]},
      complaints);
  return {};
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
