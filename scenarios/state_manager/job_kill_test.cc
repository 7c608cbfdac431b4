// The whole program against real kills at every call that changes or sends something.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "scenarios/state_manager/crash_trial.h"

namespace state_manager {
namespace {

// step-003 fails at first with this seed, so that the retry is among what is interrupted.
const std::vector<std::string> kSmallJob = {"--steps", "4"};

std::vector<std::string> command(const std::string& name, std::vector<std::string> options) {
  options.insert(options.begin(), name);
  return options;
}

std::vector<std::string> with_break(const std::string& name) {
  std::vector<std::string> options = kSmallJob;
  options.insert(options.end(), {"--break", name});
  return options;
}

/// What the checker says about the states that a kill leaves, up to the first that it rejects with
/// these words.
std::string complaints(const std::vector<std::string>& options, const std::string& words) {
  CrashTrial trial;
  std::string found;
  for (int call = 1;; ++call) {
    trial.clear();
    if (!trial.run_and_kill_at(call, command("run", options))) return found;
    const CheckResult result = trial.check(command("check", options));
    if (result.exit_code == 0) continue;
    found += "at call " + std::to_string(call) + ": " + result.message;
    if (result.message.find(words) != std::string::npos) return found;
  }
}

TEST(Kill, LeavesNoBadStateOfTheReference) {
  EXPECT_EQ(complaints(kSmallJob, ""), "");
}

TEST(Kill, AtRandomMomentsLeavesNoBadStateOfTheWholeJob) {
  CrashTrial trial;
  std::mt19937 random(1);
  for (int round = 0; round < 15; ++round) {
    trial.clear();
    static_cast<void>(trial.run_and_kill_after(static_cast<int>(random() % 20000), {"run"}));
    const CheckResult result = trial.check({"check"});
    EXPECT_EQ(result.exit_code, 0) << "round " << round << ": " << result.message;
  }
}

TEST(Kill, InEachOfManyLivesLeavesAJobThatEnds) {
  CrashTrial trial;
  int kills = 0;
  while (trial.run_and_kill_at(40, command("run", {"--steps", "30"}))) {
    ASSERT_LT(++kills, 200) << "the job makes no progress";
  }
  EXPECT_GT(kills, 10);
  const CheckResult result = trial.check(command("check", {"--steps", "30"}));
  EXPECT_EQ(result.exit_code, 0) << result.message;
}

struct Expectation {
  std::string mistake;
  std::string complaint;  ///< part of what the checker says
};

class KillFinds : public testing::TestWithParam<Expectation> {};

TEST_P(KillFinds, TheBreak) {
  const auto& [mistake, complaint] = GetParam();
  EXPECT_THAT(complaints(with_break(mistake), complaint), testing::HasSubstr(complaint));
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
}  // namespace state_manager
