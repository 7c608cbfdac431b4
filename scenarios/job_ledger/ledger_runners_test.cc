// Two runners in one state directory, that take turns at chosen calls: nothing is left to luck.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "scenarios/common/crash_trial.h"

namespace scenarios::job_ledger {
namespace {

using Arguments = std::vector<std::string>;

const Arguments kRun = {"run", "--days", "1"};
const Arguments kCheck = {"check", "--days", "1"};
const Arguments kOneHourLater = {"--clock-offset", "3600"};

enum class Start { kEmpty, kStaleLock };

/// How far to go with each runner before it is the other's turn.
struct Schedule {
  Arguments option;
  Start start = Start::kEmpty;
  bool second_stops = false;     ///< two preemptions; else the second runs to its end
  bool second_is_later = false;  ///< its clock is an hour ahead
};

/// Every call of a runner until it has the lock and has begun to work. What comes after it is the
/// same over and over: a few of those calls are enough.
constexpr int kCallsUntilAtWork = 18;
constexpr int kStepAtWork = 7;

int next_stop(int calls) {
  return calls < kCallsUntilAtWork ? calls + 1 : calls + kStepAtWork;
}

/// What is wrong after two runners took turns; "" for nothing.
std::string trouble(const CrashTrial& trial, const Schedule& schedule, const Turns& turns) {
  if (!turns.both_succeeded) return "a runner failed\n";
  const CheckResult result = trial.check(with(kCheck, schedule.option));
  return result.exit_code == 0 ? "" : result.message;
}

/// What is wrong after some schedule, up to the first complaint with these words.
std::string complaints(const Schedule& schedule, const std::string& words) {
  CrashTrial trial(SCENARIO_PROGRAM);
  const Arguments first = with(kRun, schedule.option);
  const Arguments second = schedule.second_is_later ? with(first, kOneHourLater) : first;
  std::string found;
  bool first_stopped = true;
  for (int first_calls = 1; first_stopped; first_calls = next_stop(first_calls)) {
    bool second_stopped = true;
    for (int second_calls = schedule.second_stops ? 1 : 0; second_stopped;
         second_calls = next_stop(second_calls)) {
      trial.clear();
      if (schedule.start == Start::kStaleLock) {
        EXPECT_EQ(trial.run({"leave-stale-lock"}), 0);
      }
      const Turns turns = trial.run_two_in_turns(first, first_calls, second, second_calls);
      first_stopped = turns.first_stopped;
      second_stopped = turns.second_stopped;
      const std::string complaint = trouble(trial, schedule, turns);
      if (complaint.empty()) continue;
      found += "at " + std::to_string(first_calls) + "/" + std::to_string(second_calls) + ": " +
               complaint;
      if (found.find(words) != std::string::npos) return found;
    }
  }
  return found;
}

TEST(SecondRunner, LosesAgainstTheReference) {
  EXPECT_EQ(complaints({}, ""), "");
}

TEST(SecondRunner, LosesAgainstTheReferenceHoweverLate) {
  EXPECT_EQ(complaints({.second_is_later = true}, ""), "");
}

TEST(SecondRunner, DoesNotMeetTheReferenceInATakeover) {
  EXPECT_EQ(complaints({.start = Start::kStaleLock}, ""), "");
}

TEST(SecondRunner, DoesNotMeetTheReferenceInTurns) {
  EXPECT_EQ(complaints({.second_stops = true}, ""), "");
}

TEST(SecondRunner, DoesNotMeetTheReferenceInTurnsOfATakeover) {
  EXPECT_EQ(complaints({.start = Start::kStaleLock, .second_stops = true}, ""), "");
}

TEST(SecondRunner, DoesNotMeetTheReferenceInTurnsHoweverLate) {
  EXPECT_EQ(complaints({.second_stops = true, .second_is_later = true}, ""), "");
}

TEST(SecondRunner, OfCheckThenCreatePublishesAgain) {
  EXPECT_THAT(complaints({.option = {"--break", "check-then-create"}}, "published 2 times"),
              testing::HasSubstr("published 2 times"));
}

TEST(SecondRunner, OfStaleTooShortPublishesAgain) {
  EXPECT_THAT(complaints({.option = {"--break", "stale-too-short"}, .second_is_later = true},
                         "published 2 times"),
              testing::HasSubstr("published 2 times"));
}

TEST(SecondRunner, OfTakeoverByUnlinkPublishesAgain) {
  EXPECT_THAT(complaints({.option = {"--break", "takeover-by-unlink"},
                          .start = Start::kStaleLock,
                          .second_stops = true},
                         "published 2 times"),
              testing::HasSubstr("published 2 times"));
}

}  // namespace
}  // namespace scenarios::job_ledger
