#include "harness/cli/document/kill_titles.h"

#include <gtest/gtest.h>

#include "harness/trace/recording_for_test.h"

namespace everycrash::cli {
namespace {

/// A cluster whose window goes from OPENER to CLOSER.
KillCluster between(uint64_t opener, uint64_t closer, KillWindow window) {
  return {.opener = opener, .closer = closer, .window = window};
}

/// The title of a window of that kind that the emptying of f opens.
std::string title_of_emptying(KillWindow window) {
  Recording recording;
  recording.empty("f", 1).write("f", 1, 0, "new");
  return title_of(recording.finish(), between(1, 2, window));
}

TEST(KillTitles, say_what_is_wrong_with_the_file_of_the_opener) {
  EXPECT_EQ(title_of_emptying(KillWindow::kEmptied),
            "f is emptied before its new content is written");
  EXPECT_EQ(title_of_emptying(KillWindow::kCut), "f is cut before its new content is written");
  EXPECT_EQ(title_of_emptying(KillWindow::kBeforeContent),
            "f exists before its content is written");
  EXPECT_EQ(title_of_emptying(KillWindow::kPartlyWritten), "f is only partly written");
  EXPECT_EQ(title_of_emptying(KillWindow::kRemoved), "f is removed before its successor is there");
  EXPECT_EQ(title_of_emptying(KillWindow::kFromTheStart),
            "The state before the first operation is not accepted");
}

TEST(KillTitles, name_the_ends_where_nothing_more_is_known) {
  Recording recording;
  recording.write("a", 1, 0, "x").create("b", 2).add(Kind::kChangeMode, "b", "", 2, "");
  recording.print("done\n").write("a", 1, 1, "y").unlink("a", 1);
  const Trace trace = recording.finish();
  EXPECT_EQ(title_of(trace, between(1, 2, KillWindow::kBetween)),
            "A crash between write(a) and open(b) is not survived");
  EXPECT_EQ(title_of(trace, between(2, 3, KillWindow::kBetween)),
            "A crash between open(b) and chmod b to 0644 is not survived");
  EXPECT_EQ(title_of(trace, between(2, 4, KillWindow::kBetween)),
            "A crash between open(b) and the print (5 bytes) is not survived");
  EXPECT_EQ(title_of(trace, between(1, 5, KillWindow::kBetween)),
            "A crash between write(a) and the next one is not survived");
  EXPECT_EQ(title_of(trace, between(1, 0, KillWindow::kAfter)),
            "A crash right after write a 0+1 is not survived");
  EXPECT_EQ(title_of(trace, between(1, 2, KillWindow::kWithinAppend)),
            "A crash within write(a) is not survived");
  EXPECT_EQ(title_of(trace, between(1, 6, KillWindow::kUntilRemoved)),
            "A crash once a is written, until it is removed, is not survived");
}

TEST(KillTitles, name_what_is_there_for_the_whole_window) {
  Recording recording;
  recording.create("lock", 1).unlink("lock", 1);
  EXPECT_EQ(title_of(recording.finish(), between(1, 2, KillWindow::kExists)),
            "A crash while lock exists is not survived");
}

TEST(KillTitles, name_what_stays_behind) {
  Recording recording;
  recording.create("f.tmp", 1).rename("f.tmp", "f", 1);
  KillCluster cluster = between(1, 2, KillWindow::kStaysBehind);
  cluster.path = "f.tmp";
  EXPECT_EQ(title_of(recording.finish(), cluster), "f.tmp stays behind after a crash");
}

TEST(KillTitles, name_the_line_that_promises_too_early) {
  Recording recording;
  recording.print("saved ").print("1\n").write("log", 1, 0, "1");
  EXPECT_EQ(title_of(recording.finish(), between(2, 3, KillWindow::kPromiseBeforeRecord)),
            "\"saved 1\" is acknowledged before the write that records it (log 0+1)");
}

TEST(KillTitles, cut_a_long_line) {
  Recording recording;
  recording.print(std::string(60, 'x') + "\n");
  EXPECT_EQ(title_of(recording.finish(), between(1, 0, KillWindow::kPromiseBeforeRecord)),
            "\"" + std::string(40, 'x') + "...\" is acknowledged before it is in the files");
}

/// A cluster of "exactly once" about the effect "charge 17".
KillCluster of_effect(uint64_t opener, uint64_t closer, KillWindow window) {
  KillCluster cluster = between(opener, closer, window);
  cluster.judge = Judge::kExactlyOnce;
  cluster.path = "charge 17";
  return cluster;
}

TEST(KillTitles, the_time_of_a_duplicate_goes_from_the_effect_to_what_records_it) {
  Recording recording;
  recording.event("effect charge 17").rename("f.tmp", "f", 1);
  const Trace trace = recording.finish();
  const KillCluster cluster = of_effect(1, 2, KillWindow::kEffectBeforeRecord);
  EXPECT_EQ(time_of_fault(trace, cluster),
            "between effect charge 17 and the rename that records it (f.tmp -> f)");
  EXPECT_EQ(title_of(trace, cluster),
            "The effect charge 17 can happen twice: it happens before the files record it");
}

TEST(KillTitles, the_time_of_a_loss_goes_from_what_records_the_effect_to_it) {
  Recording recording;
  recording.rename("f.tmp", "f", 1).event("effect charge 17");
  const Trace trace = recording.finish();
  const KillCluster cluster = of_effect(1, 2, KillWindow::kRecordBeforeEffect);
  EXPECT_EQ(time_of_fault(trace, cluster),
            "between the rename that records it (f.tmp -> f) and effect charge 17");
  EXPECT_EQ(title_of(trace, cluster),
            "The effect charge 17 can get lost: the files record it before it happens");
}

TEST(KillTitles, tell_an_effect_that_another_judge_complains_of) {
  Recording recording;
  recording.event("effect charge 17").event("step done");
  const Trace trace = recording.finish();
  EXPECT_EQ(title_of(trace, between(1, 0, KillWindow::kUnrecordedEffect)),
            "The effect charge 17 happens before the files record it");
  EXPECT_EQ(title_of(trace, between(2, 0, KillWindow::kAfterStep)),
            "A crash after the step done is not survived");
}

}  // namespace
}  // namespace everycrash::cli
