#include "harness/check/command_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "harness/check/oracles/all_oracles.h"
#include "harness/check/run/check_server.h"
#include "harness/check/state_runner.h"

namespace everycrash {
namespace {

using Complaints = std::vector<Complaint>;
using Answer = CheckServer::Answer;

// States that a check server finds fine and the checker itself has to judge too.
constexpr uint64_t kAlwaysSampled = 4;
constexpr uint64_t kSampledEvery = 512;

}  // namespace

CommandJudge::CommandJudge(StateRunner& runner, const Grounds& grounds)
    : runner_(runner), grounds_(grounds) {}

CommandJudge::~CommandJudge() = default;

void CommandJudge::use_server(std::unique_ptr<CheckServer> server) {
  server_ = std::move(server);
}

Complaint held(FailedCommand failed, bool undisturbed) {
  failed.undisturbed = undisturbed;
  return complaint_of(failed);
}

Result<std::vector<Complaint>> CommandJudge::judge(const StateView& state, bool undisturbed) {
  const Selection& selection = grounds_.selection;
  if (!selection.has(Judge::kChecker) && !selection.has(Judge::kRecovery)) return Complaints{};
  const bool may_ask = server_ != nullptr && !undisturbed && grounds_.options.recover.empty();
  if (!may_ask) return run_patiently(state, undisturbed);
  const Result<Answer> answer =
      server_->ask({state.tree, state.printed, state.events}, grounds_.options.limit_ms);
  if (!answer) return tl::unexpected(answer.error());
  const uint64_t number = asked_++;
  const bool sampled = number < kAlwaysSampled || number % kSampledEvery == 0;
  if (*answer == Answer::kFine && !sampled) return Complaints{};
  Result<Complaints> said = run_patiently(state, undisturbed);
  if (said && *answer != Answer::kNone && said->empty() != (*answer == Answer::kFine)) {
    return harness_error(fmt::format(
        "the checker {} a state in a process that had judged others before, and {} it in a fresh "
        "one\nIt carries something over from one state to the next; run without --check-server.",
        *answer == Answer::kFine ? "accepts" : "rejects", said->empty() ? "accepts" : "rejects"));
  }
  return said;
}

Result<std::vector<Complaint>> CommandJudge::run_patiently(const StateView& state,
                                                           bool undisturbed) {
  const int limit_ms = grounds_.options.limit_ms;
  Result<Complaints> said = run(state, undisturbed, limit_ms);
  const bool late = said && std::any_of(said->begin(), said->end(), [](const Complaint& each) {
                      return each.wrong == Wrong::kTimedOut;
                    });
  return late ? run(state, undisturbed, limit_ms * kPatience) : said;
}

Result<std::vector<Complaint>> CommandJudge::run(const StateView& state, bool undisturbed,
                                                 int limit_ms) {
  Complaints complaints;
  Status done = runner_.put(state);
  if (done && !grounds_.options.recover.empty()) {
    done = recover(state, undisturbed, limit_ms, complaints);
  }
  if (!done) return tl::unexpected(done.error());
  if (grounds_.selection.has(Judge::kChecker) && complaints.empty()) {
    const Result<std::optional<FailedCommand>> failed = runner_.check(limit_ms);
    if (!failed) return tl::unexpected(failed.error());
    if (*failed) complaints.push_back(held(**failed, undisturbed));
  }
  if (done = runner_.leave(); !done) return tl::unexpected(done.error());
  return complaints;
}

/// Recovers what is there, twice where that is judged.
Status CommandJudge::recover(const StateView& state, bool undisturbed, int limit_ms,
                             Complaints& complaints) {
  const bool twice = grounds_.selection.has(Judge::kRecoveryTwice);
  std::optional<FileSystem> trees[2];
  for (std::optional<FileSystem>& left : trees) {
    const Result<std::optional<FailedCommand>> failed = runner_.recover(limit_ms);
    if (!failed) return tl::unexpected(failed.error());
    if (*failed) complaints.push_back(held(**failed, undisturbed));
    if (*failed || !twice) return {};
    Result<FileSystem> tree = runner_.tree();
    if (!tree) return tl::unexpected(tree.error());
    left.emplace(std::move(*tree));
  }
  ask_oracles(
      Oracle::Sees::kRecoveries,
      {.grounds = grounds_, .state = state, .recovered = &*trees[0], .recovered_twice = &*trees[1]},
      complaints);
  return {};
}

}  // namespace everycrash
