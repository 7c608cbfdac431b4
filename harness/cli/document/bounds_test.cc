#include "harness/cli/document/bounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace everycrash::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

PowerBound power_bound(PowerCoverage coverage) {
  PowerBound bound{.coverage = coverage, .states_max = 2};
  bound.bounds.depth = 1;
  bound.bounds.seed = 7;
  return bound;
}

std::string said_of(const Bound& bound) {
  return words_for(std::vector<Bound>{bound});
}

TEST(BoundWords, of_a_power_loss_say_exhaustive_only_of_every_state) {
  EXPECT_EQ(said_of(power_bound({.windows = 3, .exhausted = 3, .finished = true})),
            "every state that the model allows");
  EXPECT_THAT(said_of(power_bound({.windows = 3, .exhausted = 2, .finished = true})),
              AllOf(HasSubstr("2 of 3 windows exhaustive"), HasSubstr("at most 1 unit against"),
                    HasSubstr("seed 7"), Not(HasSubstr("ended"))));
}

TEST(BoundWords, of_a_power_loss_say_what_ended_it) {
  EXPECT_THAT(said_of(power_bound({.distinct = 2, .windows = 3, .exhausted = 1})),
              HasSubstr("ended after 2 states"));
  EXPECT_THAT(said_of(power_bound({.distinct = 1, .windows = 3, .exhausted = 1})),
              HasSubstr("ended before that by the budget"));
  EXPECT_THAT(said_of(power_bound({.windows = 3, .exhausted = 1, .cut = 4, .finished = true})),
              HasSubstr("cut short at"));
}

TEST(BoundWords, of_lists_say_how_far_they_came) {
  EXPECT_EQ(said_of(InOrder{}), "the first states in the order of the run");
  EXPECT_EQ(said_of(InOrder{InOrder::What::kCalls}), "the first calls in the order of the run");
  EXPECT_EQ(said_of(InOrder{.interrupted = true}),
            "until it was interrupted, in the order of the run");
  EXPECT_EQ(said_of(SomeFullDisks{3, 40}), "the disk becomes full at 3 of 40 writes");
  EXPECT_EQ(said_of(DiskContents{6, 60, 9}),
            "6 schedules of background writes, at most 60 disk contents each; 9 trees");
  EXPECT_EQ(said_of(RandomRounds{40, 9}), "40 random rounds from seed 9");
  EXPECT_EQ(said_of(Orders{.one = 3, .one_of = 5}), "3 of 5 orders with one preemption");
  EXPECT_EQ(said_of(Orders{.one = 5, .one_of = 5, .two = 1, .two_of = 9, .crashes_left = 2}),
            "5 of 5 orders with one preemption, 1 of 9 with two, none after 2 crashes that left a "
            "lock");
}

TEST(BoundWords, of_what_was_not_begun_say_why) {
  EXPECT_EQ(said_of(NotBegun{}), "not begun after the first finding");
  EXPECT_EQ(said_of(UnseenClock{"app"}), "app asks the kernel for the time, without libc");
  EXPECT_EQ(said_of(NeverMet{{"a", "b", "c", "d", "e"}}),
            "no call on a, b, c and 2 more could be made to fail: other runs do not call it so");
}

TEST(BoundWords, of_recoveries_stand_beside_each_other) {
  EXPECT_EQ(words_for(std::vector<Bound>{Recoveries{3, 20}, OfEachRecovery{InOrder{}},
                                         DeeperChains{1, 4}, NotRecovered{2}}),
            "3 recoveries crashed, 20 states that one crash does not leave; of each recovery the "
            "first states in the order of the run; 1 crashes in a row (--again-depth), which leave "
            "4 states that recovery was not crashed on; 2 states not recovered from, for want of "
            "time");
  EXPECT_EQ(words_for(std::vector<Bound>{}), "");
}

TEST(GapWords, of_states_are_what_the_judge_said) {
  EXPECT_EQ(words_for(Gap{UnjudgedState{"exit 77"}}), "exit 77");
  EXPECT_EQ(words_for(Gap{MoreReasons{3}}), "and 3 more reasons like these");
  EXPECT_EQ(words_for(Gap{UnjudgedOrder{"exit 77"}}), "two runners: exit 77");
}

TEST(GapWords, name_the_files_that_are_not_judged) {
  EXPECT_THAT(words_for(Gap{StoresBetweenCalls{"db", 0}}), HasSubstr("two stores into db: "));
  EXPECT_THAT(words_for(Gap{StoresBetweenCalls{"db", 2}}), HasSubstr("db and 2 more: "));
  EXPECT_THAT(words_for(Gap{VariesSerially{"log"}}), HasSubstr("log is not the same each time"));
  EXPECT_EQ(words_for(Gap{UnusableStart{"lock", "it waits"}}),
            "two runners after a crash that left lock: it waits");
}

TEST(GapWords, name_the_parts_that_were_not_begun) {
  EXPECT_EQ(words_for(Gap{PartsLeftOut{{{CrashKind::kPower, "xfs"}}}}),
            "--fail-fast: power xfs was not explored after the first finding");
  EXPECT_EQ(words_for(Gap{PartsLeftOut{{{CrashKind::kPower, "xfs"}, {CrashKind::kAgain, ""}}}}),
            "--fail-fast: power xfs, again were not explored after the first finding");
  EXPECT_EQ(words_for(Gap{RealRefused{"xfs", "no loop device"}}), "real xfs: no loop device");
  EXPECT_THAT(words_for(Gap{StartsByUnseenClock{"a year back", "app"}}),
              HasSubstr("starts with the clock a year back: app"));
}

TEST(GapWords, count_recoveries_that_were_not_crashed) {
  EXPECT_THAT(words_for(Gap{RejectedBeforeRecovery{4}}), HasSubstr("again: 4 states fail"));
  EXPECT_THAT(words_for(Gap{FailedRecoveries{2}}), HasSubstr("again: 2 recoveries did not"));
  EXPECT_EQ(words_for(Gap{FailedRecovery{"rename(a)", "exit status 1"}}),
            "recovery after rename(a): exit status 1");
  EXPECT_THAT(words_for(Gap{WaitsForKilled{}}), HasSubstr("the second has not ended"));
}

TEST(LimitationWords, say_what_was_done_instead) {
  EXPECT_EQ(words_for(Limitation{SandboxLimits{"no namespaces"}}), "no namespaces");
  EXPECT_THAT(words_for(Limitation{SharedProcesses{"lock"}}), HasSubstr("lock names the PID"));
  EXPECT_THAT(words_for(Limitation{OneNetwork{}}), HasSubstr("one worker only"));
  EXPECT_THAT(words_for(Limitation{NoMemoryFileSystem{"/tmp"}}), HasSubstr("built in /tmp"));
}

TEST(LimitationWords, of_one_faulted_run_at_a_time_say_why) {
  using Why = OneFaultedRunAtATime::Why;
  EXPECT_THAT(words_for(Limitation{OneFaultedRunAtATime{Why::kSinkListens, ""}}),
              HasSubstr("(the sink listens there)"));
  EXPECT_THAT(words_for(Limitation{OneFaultedRunAtATime{Why::kFails, ""}}),
              HasSubstr("(without it the workload fails)"));
  EXPECT_THAT(words_for(Limitation{OneFaultedRunAtATime{Why::kOtherEffects, ""}}),
              HasSubstr("(without it the workload does not have the same effects)"));
  EXPECT_THAT(words_for(Limitation{OneFaultedRunAtATime{Why::kNotAllowed, "no namespaces"}}),
              HasSubstr("(no namespaces)"));
}

}  // namespace
}  // namespace everycrash::cli
