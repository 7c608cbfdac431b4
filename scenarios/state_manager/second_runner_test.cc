// Two runners of the job at the same time, in one state directory.
#include <gtest/gtest.h>

#include "scenarios/common/crash_trial.h"

namespace scenarios::state_manager {
namespace {

/// The scheduler decides what meets what, so a break gets many tries. Each takes 20 ms or so, and
/// most breaks show in the first few.
constexpr int kTries = 150;

/// What was wrong after two runners; empty if nothing.
std::string trouble_of_two(const CrashTrial& trial, std::vector<std::string> options) {
  std::vector<std::string> run = options;
  run.insert(run.begin(), "run");
  if (!trial.run_two(run)) return "one of the two runners failed or hung";
  options.insert(options.begin(), "check");
  const CheckResult result = trial.check(options);
  return result.exit_code == 0 ? "" : result.message;
}

TEST(SecondRunner, DoesNotDisturbTheReference) {
  CrashTrial trial(SCENARIO_PROGRAM);
  for (int round = 0; round < 15; ++round) {
    trial.clear();
    EXPECT_EQ(trouble_of_two(trial, {}), "") << "round " << round;
  }
}

class SecondRunnerFinds : public testing::TestWithParam<std::string> {};

TEST_P(SecondRunnerFinds, TheBreak) {
  CrashTrial trial(SCENARIO_PROGRAM);
  std::string trouble;
  int tries = 0;
  for (; trouble.empty() && tries < kTries; ++tries) {
    trial.clear();
    trouble = trouble_of_two(trial, {"--break", GetParam()});
  }
  EXPECT_NE(trouble, "");
  RecordProperty("tries", tries);
  RecordProperty("trouble", trouble);
}

INSTANTIATE_TEST_SUITE_P(Breaks, SecondRunnerFinds,
                         testing::Values("fixed-temp-name", "recover-everything", "lost-update",
                                         "lock-the-target"),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace scenarios::state_manager
