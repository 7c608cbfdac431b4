// The whole program when calls fail, work fails, or the clock is set.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "scenarios/common/crash_trial.h"

namespace scenarios::state_manager {
namespace {

using Arguments = std::vector<std::string>;
using testing::HasSubstr;

// More than any output, less than the state of a finished job.
constexpr int kTooSmallForTheState = 6000;

TEST(WriteError, StopsTheReferenceWithItsStateWhole) {
  CrashTrial trial(SCENARIO_PROGRAM);
  EXPECT_NE(trial.run_with_file_limit(kTooSmallForTheState, {"run"}), 0);
  EXPECT_NE(trial.read_file(trial.printed_file()), "") << "it did not get as far as the limit";
  const CheckResult result = trial.check({"check"});
  EXPECT_EQ(result.exit_code, 0) << result.message;
}

TEST(WriteError, IgnoredLeavesACutState) {
  CrashTrial trial(SCENARIO_PROGRAM);
  const Arguments option = {"--break", "ignore-write-error"};
  trial.run_with_file_limit(kTooSmallForTheState, with({"run"}, option));
  EXPECT_THAT(trial.check(with({"check"}, option)).message, HasSubstr("state.json cannot be read"));
}

TEST(Work, ThatNeverSucceedsIsStoppedAfterItsRetries) {
  CrashTrial trial(SCENARIO_PROGRAM);
  const Arguments options = {"--steps", "6", "--poison", "step-002"};
  EXPECT_EQ(trial.run(with({"run"}, options)), 0);
  EXPECT_THAT(
      trial.read_file(trial.state_directory() + "/state.json"),
      testing::ContainsRegex("\"step-002\":.\"status\":\"failed_stop\".*\"retry_count\":3"));
  const CheckResult result = trial.check(with({"check"}, options));
  EXPECT_EQ(result.exit_code, 0) << result.message;
}

TEST(Work, ThatNeverSucceedsIsTriedForEverByUnlimitedRetries) {
  CrashTrial trial(SCENARIO_PROGRAM);
  EXPECT_THAT(trial
                  .check({"check", "--steps", "6", "--poison", "step-002", "--limit", "1",
                          "--break", "unlimited-retries"})
                  .message,
              HasSubstr("did not end"));
}

TEST(Work, ThatCannotHealIsNotRetried) {
  CrashTrial trial(SCENARIO_PROGRAM);
  const CheckResult result = trial.check({"check", "--steps", "6", "--bad-input", "step-002"});
  EXPECT_EQ(result.exit_code, 0) << result.message;
}

TEST(Work, ThatCannotHealIsRetriedByRetryPermanent) {
  CrashTrial trial(SCENARIO_PROGRAM);
  EXPECT_THAT(
      trial
          .check({"check", "--steps", "6", "--bad-input", "step-002", "--break", "retry-permanent"})
          .message,
      HasSubstr("cannot heal"));
}

const Arguments kRun = {"run", "--steps", "2"};
const Arguments kCheck = {"check", "--steps", "2"};
const Arguments kTwoHoursBack = {"--clock-offset", "-7200"};

TEST(Clock, SetBackDoesNotHoldTheReferenceUp) {
  EXPECT_EQ(complaints_after_kills(SCENARIO_PROGRAM, kRun, with(kCheck, kTwoHoursBack), ""), "");
}

TEST(Clock, SetForwardDoesNotDisturbTheReference) {
  EXPECT_EQ(
      complaints_after_kills(SCENARIO_PROGRAM, kRun, with(kCheck, {"--clock-offset", "7200"}), ""),
      "");
}

TEST(Clock, SetBackHoldsUpWhoTrustsIt) {
  const Arguments option = {"--break", "clock-backwards"};
  EXPECT_THAT(complaints_after_kills(SCENARIO_PROGRAM, with(kRun, option),
                                     with(with(kCheck, kTwoHoursBack), option), "waited"),
              HasSubstr("the restarted job waited until 72"));
}

/// Japan, without need of a time zone data base. Applies to the processes that the test starts.
class EastOfGreenwich : public testing::Test {
 protected:
  EastOfGreenwich() { setenv("TZ", "JST-9", 1); }
  ~EastOfGreenwich() override { unsetenv("TZ"); }
};

TEST_F(EastOfGreenwich, TheReferenceIsRight) {
  EXPECT_EQ(complaints_after_kills(SCENARIO_PROGRAM, kRun, kCheck, ""), "");
}

TEST_F(EastOfGreenwich, LocalTimeTakesOverAtOnce) {
  const Arguments option = {"--break", "local-time"};
  EXPECT_THAT(complaints_after_kills(SCENARIO_PROGRAM, with(kRun, option), with(kCheck, option),
                                     "taken over"),
              HasSubstr("was taken over"));
}

}  // namespace
}  // namespace scenarios::state_manager
