#include "harness/explain/pair_cause.h"

#include <gtest/gtest.h>

#include "harness/check/verdict.h"
#include "harness/explore/point_names.h"
#include "harness/inject/two_runners.h"
#include "harness/trace/recording_for_test.h"

namespace everycrash {
namespace {

using Stop = TurnTaken::Stop;

CallSite same_site(uint64_t) {
  return {.name = "save in app"};
}

/// The first writes a temporary file, the second all of it, then the first goes on.
Trace overtaken() {
  Recording recording;
  recording.create("t", 1);                                                        // 1
  recording.as_runner(1).empty("t", 1).write("t", 1, 0, "2").rename("t", "f", 1);  // 2, 3, 4
  recording.as_runner(0).rename("t", "f", 1);                                      // 5
  return recording.finish();
}

PairRun overtaking(Stop last) {
  PairRun run;
  run.turns = {{.runner = 0, .stop = Stop::kStands, .first_record = 1, .next_record = 2},
               {.runner = 1, .stop = Stop::kEnded, .first_record = 2, .next_record = 5},
               {.runner = 0, .stop = last, .first_record = 5, .next_record = 6}};
  return run;
}

TEST(PairCause, is_what_is_done_over_what_the_other_has_changed) {
  const Trace trace = overtaken();
  const PointNames names(trace);
  const PairCause cause =
      find_pair_cause(trace, overtaking(Stop::kEnded), {.path = "f"}, names, same_site);
  EXPECT_EQ(cause.stood, 1u);
  EXPECT_EQ(cause.undone, 4u) << "the last that touches the same";
  EXPECT_EQ(cause.undoes, 5u);
  EXPECT_FALSE(cause.killed);
}

TEST(PairCause, is_where_the_first_stood_if_it_was_killed_there) {
  const Trace trace = overtaken();
  const PointNames names(trace);
  PairRun run = overtaking(Stop::kKilled);
  run.turns.back().next_record = 5;
  const PairCause cause = find_pair_cause(trace, run, {.path = "f"}, names, same_site);
  EXPECT_TRUE(cause.killed);
  EXPECT_EQ(cause.stood, 1u);
  EXPECT_EQ(cause.undoes, 0u);
  EXPECT_NE(cause.id(),
            find_pair_cause(trace, overtaking(Stop::kEnded), {.path = "f"}, names, same_site).id());
}

TEST(PairPlace, counts_the_runners_own_operations) {
  Recording recording;
  recording.create("f", 1).as_runner(1).create("g", 2).empty("g", 2);
  recording.add(Kind::kLock, "lock", "", 3, "");
  const Trace trace = recording.finish();
  const PointNames names(trace);
  const PairPlace place = place_of(names, trace, 1, 4);
  EXPECT_EQ(place.after, names.base(3));
  EXPECT_EQ(place.occurrence, 2u);
  EXPECT_EQ(place.lock, "lock");
  EXPECT_EQ(place_of(names, trace, 0, 1).after, "") << "before its first operation";
}

}  // namespace
}  // namespace everycrash
