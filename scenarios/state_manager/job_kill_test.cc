// The whole program against real kills at every call that changes or sends something.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "scenarios/common/crash_trial.h"

namespace scenarios::state_manager {
namespace {

using Arguments = std::vector<std::string>;

// step-003 fails at first, so that a retry is among what is interrupted.
const Arguments kRun = {"run", "--steps", "4"};
const Arguments kCheck = {"check", "--steps", "4"};

TEST(Kill, LeavesNoBadStateOfTheReference) {
  EXPECT_EQ(complaints_after_kills(SCENARIO_PROGRAM, kRun, kCheck, ""), "");
}

TEST(Kill, AtRandomMomentsLeavesNoBadStateOfTheWholeJob) {
  CrashTrial trial(SCENARIO_PROGRAM);
  std::mt19937 random(1);
  for (int round = 0; round < 15; ++round) {
    trial.clear();
    static_cast<void>(trial.run_and_kill_after(static_cast<int>(random() % 20000), {"run"}));
    const CheckResult result = trial.check({"check"});
    EXPECT_EQ(result.exit_code, 0) << "round " << round << ": " << result.message;
  }
}

TEST(Kill, InEachOfManyLivesLeavesAJobThatEnds) {
  CrashTrial trial(SCENARIO_PROGRAM);
  int kills = 0;
  while (trial.run_and_kill_at(40, {"run", "--steps", "30"})) {
    ASSERT_LT(++kills, 200) << "the job makes no progress";
  }
  EXPECT_GT(kills, 10);
  const CheckResult result = trial.check({"check", "--steps", "30"});
  EXPECT_EQ(result.exit_code, 0) << result.message;
}

TEST(Kill, LeavesTheSameBytesEachTimeWithAStartTime) {
  const Arguments run = with(kRun, {"--start-time", "1800000000"});
  CrashTrial first(SCENARIO_PROGRAM);
  CrashTrial second(SCENARIO_PROGRAM);
  for (int call = 20; call < 60; call += 10) {
    first.clear();
    second.clear();
    EXPECT_TRUE(first.run_and_kill_at(call, run));
    EXPECT_TRUE(second.run_and_kill_at(call, run));
    const std::string state = first.read_file(first.state_directory() + "/state.json");
    EXPECT_NE(state, "");
    EXPECT_EQ(state, second.read_file(second.state_directory() + "/state.json"));
  }
}

TEST(Kill, LeavesNoBadStateWithAStartTime) {
  const Arguments start = {"--start-time", "1800000000"};
  EXPECT_EQ(complaints_after_kills(SCENARIO_PROGRAM, with(kRun, start), with(kCheck, start), ""),
            "");
}

struct Expectation {
  std::string mistake;
  std::string complaint;  ///< part of what the checker says
};

void PrintTo(const Expectation& expectation, std::ostream* out) {
  *out << expectation.mistake;
}

class KillFinds : public testing::TestWithParam<Expectation> {};

TEST_P(KillFinds, TheBreak) {
  const auto& [mistake, complaint] = GetParam();
  const Arguments option = {"--break", mistake};
  EXPECT_THAT(
      complaints_after_kills(SCENARIO_PROGRAM, with(kRun, option), with(kCheck, option), complaint),
      testing::HasSubstr(complaint));
}

INSTANTIATE_TEST_SUITE_P(
    Breaks, KillFinds,
    testing::Values(Expectation{"overwrite-in-place", "state.json cannot be read"},
                    Expectation{"temp-elsewhere", "state.json cannot be read"},
                    Expectation{"corrupt-is-empty", "state.json cannot be read"},
                    Expectation{"leftover-temp", "temp file"},
                    Expectation{"done-before-effect", "was never sent"},
                    Expectation{"effect-without-key", "accepted 2 times (1 before"},
                    Expectation{"key-with-timestamp", "accepted 2 times (1 before"},
                    Expectation{"append-output", "holds lines twice"},
                    Expectation{"recover-everything", "was taken over"}),
    [](const auto& expectation) {
      std::string name = expectation.param.mistake;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

}  // namespace
}  // namespace scenarios::state_manager
