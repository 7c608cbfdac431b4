#include "harness/cli/document/pair_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/check/verdict.h"
#include "harness/explore/point_names.h"
#include "harness/inject/two_runners.h"
#include "harness/trace/recording_for_test.h"

namespace everycrash::cli {
namespace {

using Stop = TurnTaken::Stop;

/// The first opens f twice, the second asks for a lock.
Trace two_at_once() {
  Recording recording;
  recording.create("f", 1).empty("f", 1).as_runner(1).add(Kind::kLock, "lock", "", 2, "");
  return recording.finish();
}

TEST(PairWords, say_whose_operation_undid_whose) {
  const Trace trace = two_at_once();
  const PointNames names(trace);
  EXPECT_EQ(title_of(names, {.stood = 1, .undone = 1, .undoes = 2}, {}),
            "Of two runners at once, one does open(f) over the other's open(f)");
  EXPECT_EQ(title_of(names, {}, {.judge = Judge::kExactlyOnce, .path = "charge 17"}),
            "Of two runners at once, both do the effect charge 17");
}

TEST(PairWords, say_where_the_first_stood_if_that_is_all_that_is_known) {
  const Trace trace = two_at_once();
  const PointNames names(trace);
  EXPECT_EQ(title_of(names, {.stood = 1}, {.path = "f"}),
            "f is broken while another runner stands still after open(f)");
  EXPECT_EQ(title_of(names, {.killed = true}, {}),
            "A second runner does harm while another runner stands still before its first "
            "operation, to be killed there");
}

TEST(PairWords, tell_what_became_of_each_turn) {
  const Trace trace = two_at_once();
  const PointNames names(trace);
  PairRun run;
  run.ends[0] = Exited{0};
  run.turns = {{.runner = 0, .stop = Stop::kStands, .first_record = 1, .next_record = 2},
               {.runner = 1, .stop = Stop::kWaits, .first_record = 2, .next_record = 3},
               {.runner = 0, .stop = Stop::kKilled, .first_record = 2, .next_record = 3},
               {.runner = 0, .stop = Stop::kEnded, .first_record = 2, .next_record = 3}};
  EXPECT_THAT(schedule_of(names, trace, run),
              testing::ElementsAre(
                  "the first goes on and stands still after open(f)#1",
                  "the second waits for the other before its first operation, about to lock lock",
                  "the first is killed where it stands, after open(f)#2",
                  "the first goes on to its end (exit status 0)"));
}

}  // namespace
}  // namespace everycrash::cli
