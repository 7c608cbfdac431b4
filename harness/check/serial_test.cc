#include "harness/check/serial.h"

#include <gtest/gtest.h>

#include "harness/trace/recording_for_test.h"

namespace everycrash {
namespace {

/// A run that leaves TEXT in "file", after an effect for each of EFFECTS.
Trace run_that_leaves(const std::string& text, const std::vector<std::string>& effects = {}) {
  Recording run;
  run.initial();
  for (const std::string& effect : effects) run.event("effect " + effect);
  run.create("file.tmp", 7).write("file.tmp", 7, 0, text).add(Kind::kClose, "file.tmp", "", 7, "");
  return run.rename("file.tmp", "file", 7).finish();
}

std::vector<Complaint> faults(const std::string& one_after_the_other, const std::string& at_once) {
  const Trace both = run_that_leaves(one_after_the_other);
  const Trace pair = run_that_leaves(at_once);
  const History history = *History::of(both);
  const SerialRuns runs =
      compare_serial_runs(*History::of(run_that_leaves("1\n")), history, history, {});
  return find_serial_faults(runs, pair, *History::of(pair));
}

TEST(Serial, finds_a_lost_update) {
  const std::vector<Complaint> found = faults("2\n", "1\n");
  // Only one of the two changed anything in this trace, so what one leaves alone would be good.
  EXPECT_TRUE(found.empty());
  const std::vector<Complaint> other = faults("3\n", "2\n");
  ASSERT_EQ(other.size(), 1u);
  EXPECT_EQ(other.front().judge, Judge::kSerial);
  EXPECT_EQ(other.front().path, "file");
}

TEST(Serial, does_not_mind_another_order_of_the_same_words) {
  EXPECT_TRUE(faults("a b c d\n", "a c b d\n").empty());
}

TEST(Serial, leaves_out_what_is_not_the_same_each_time) {
  const History both = *History::of(run_that_leaves("at 10:00\n"));
  const History again = *History::of(run_that_leaves("at 10:01\n"));
  const SerialRuns runs = compare_serial_runs(both, both, again, {});
  EXPECT_TRUE(runs.judged.empty());
  EXPECT_EQ(runs.varying.count("file"), 1u);
}

TEST(Serial, finds_an_effect_that_happens_once_more_than_one_after_the_other) {
  const History both = *History::of(run_that_leaves("x", {"mail a"}));
  const Trace pair = run_that_leaves("x", {"mail a", "mail a"});
  const SerialRuns runs = compare_serial_runs(both, both, both, {});
  const std::vector<Complaint> found = find_serial_faults(runs, pair, *History::of(pair));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().judge, Judge::kExactlyOnce);
}

}  // namespace
}  // namespace everycrash
