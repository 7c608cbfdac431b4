// The whole program against real kills at every call that changes or sends something.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "scenarios/common/crash_trial.h"

namespace scenarios::job_ledger {
namespace {

using Arguments = std::vector<std::string>;

const Arguments kRun = {"run", "--days", "2"};
const Arguments kCheck = {"check", "--days", "2"};

std::string complaints(const Arguments& option, const std::string& words) {
  return complaints_after_kills(SCENARIO_PROGRAM, with(kRun, option), with(kCheck, option), words);
}

TEST(Kill, LeavesNoBadStateOfTheReference) {
  EXPECT_EQ(complaints({}, ""), "");
}

TEST(Kill, LeavesNoBadStateAfterAStaleLock) {
  CrashTrial trial(SCENARIO_PROGRAM);
  for (int call = 1;; ++call) {
    trial.clear();
    ASSERT_EQ(trial.run({"leave-stale-lock"}), 0);
    if (!trial.run_and_kill_at(call, kRun)) break;
    const CheckResult result = trial.check(kCheck);
    EXPECT_EQ(result.exit_code, 0) << "at call " << call << ": " << result.message;
  }
}

TEST(Kill, InEachOfManyLivesLeavesAJobThatEnds) {
  CrashTrial trial(SCENARIO_PROGRAM);
  // Each life is a day later, so that the lock of the one before is stale.
  int64_t offset_s = 0;
  int kills = 0;
  const auto later = [&] {
    offset_s += 86400;
    return Arguments{"run", "--days", "5", "--clock-offset", std::to_string(offset_s)};
  };
  while (trial.run_and_kill_at(30, later())) ASSERT_LT(++kills, 100) << "it makes no progress";
  EXPECT_GT(kills, 3);
  const CheckResult result = trial.check({"check", "--days", "5"});
  EXPECT_EQ(result.exit_code, 0) << result.message;
}

struct Expectation {
  std::string mistake;
  std::string complaint;  ///< part of what the checker says
};

void PrintTo(const Expectation& expectation, std::ostream* out) {
  *out << expectation.mistake;
}

std::string test_name(const std::string& mistake) {
  std::string name = mistake;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class KillFinds : public testing::TestWithParam<Expectation> {};

TEST_P(KillFinds, TheBreak) {
  const auto& [mistake, complaint] = GetParam();
  EXPECT_THAT(complaints({"--break", mistake}, complaint), testing::HasSubstr(complaint));
}

INSTANTIATE_TEST_SUITE_P(
    Breaks, KillFinds,
    testing::Values(Expectation{"never-stale", "blocks the job"},
                    Expectation{"pid-only", "blocks the job since a stranger has its pid"},
                    Expectation{"stage-before-work", "work/draft.txt is missing"},
                    Expectation{"truth-from-markers", "2 times (1 before"}),
    [](const auto& expectation) { return test_name(expectation.param.mistake); });

/// What needs a second runner, or a power failure, must not be found by a kill: then it would be
/// found for another reason.
class KillDoesNotFind : public testing::TestWithParam<std::string> {};

TEST_P(KillDoesNotFind, TheBreak) {
  EXPECT_EQ(complaints({"--break", GetParam()}, ""), "");
}

INSTANTIATE_TEST_SUITE_P(Breaks, KillDoesNotFind,
                         testing::Values("check-then-create", "stale-too-short",
                                         "takeover-by-unlink", "marker-not-durable"),
                         [](const auto& parameter) { return test_name(parameter.param); });

/// The calls between the feed and the acknowledgement (a write) of a job of one day.
Arguments last_calls(const Arguments& option) {
  CrashTrial trial(SCENARIO_PROGRAM);
  Arguments calls = trial.run_and_list_calls(with({"run", "--days", "1"}, option));
  const auto entry = std::find(calls.begin(), calls.end(), "openat 2026-01-01.md.tmp");
  calls.erase(calls.begin(), entry);
  return calls;
}

TEST(Calls, OfTheReferenceSyncTheLedgerEntryAndItsFolderBeforeTheyAcknowledge) {
  EXPECT_EQ(last_calls({}),
            (Arguments{"openat 2026-01-01.md.tmp", "write", "fsync", "renameat 2026-01-01.md.tmp",
                       "fsync", "write", "unlinkat publish.lock"}));
}

TEST(Calls, OfMarkerNotDurableLackBothSyncs) {
  EXPECT_EQ(last_calls({"--break", "marker-not-durable"}),
            (Arguments{"openat 2026-01-01.md.tmp", "write", "renameat 2026-01-01.md.tmp", "write",
                       "unlinkat publish.lock"}));
}

}  // namespace
}  // namespace scenarios::job_ledger
