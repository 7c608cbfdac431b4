#include "harness/check/oracles/serial.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "harness/trace/recording_for_test.h"

namespace everycrash {
namespace {

/// A run that leaves TEXT in "file", after an effect for each of EFFECTS.
Trace run_that_leaves(const std::string& text, const std::vector<std::string>& effects = {}) {
  Recording run;
  run.initial();
  for (const std::string& effect : effects) run.event("effect " + effect);
  run.open("file.tmp", 7, O_WRONLY | O_CREAT | O_TRUNC, format::kCreated);
  return run.write("file.tmp", 7, 0, text).rename("file.tmp", "file", 7).finish();
}

std::vector<Complaint> faults(const std::string& one_after_the_other, const std::string& at_once) {
  const Trace both = run_that_leaves(one_after_the_other);
  const Trace pair = run_that_leaves(at_once);
  const History history = *History::of(both);
  const SerialRuns runs =
      compare_serial_runs(*History::of(run_that_leaves("1\n")), history, history, {});
  return find_serial_faults(runs, pair, *History::of(pair));
}

TEST(Serial, finds_what_no_order_leaves) {
  const std::vector<Complaint> found = faults("3\n", "2\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().judge, Judge::kSerial);
  EXPECT_EQ(found.front().path, "file");
}

TEST(Serial, accepts_what_one_leaves_alone_where_the_other_changed_nothing) {
  EXPECT_TRUE(faults("2\n", "1\n").empty());
}

/// Two at once that leave "1": the second one ends with STATUS, after it has not found what is
/// called TAKEN.
Trace pair_whose_second_fails(uint32_t status, const std::string& taken) {
  Recording run;
  run.initial().as_runner(0).process().create("file", 7).write("file", 7, 0, "1\n").exit(0);
  run.as_runner(1).process().create("own.tmp", 8).empty("file", 7).write("file", 7, 0, "1\n");
  return run.add(Kind::kRename, taken, "file", 8, "", 0, -ENOENT).exit(status).finish();
}

std::vector<Complaint> faults_of(const Trace& pair) {
  const History both = *History::of(run_that_leaves("2\n"));
  const SerialRuns runs = compare_serial_runs(*History::of(run_that_leaves("1\n")), both, both, {});
  return find_serial_faults(runs, pair, *History::of(pair));
}

TEST(Serial, accepts_what_one_leaves_alone_where_the_other_is_refused_before_it) {
  Recording run;
  run.initial().as_runner(0).process().create("file", 7).write("file", 7, 0, "1\n").exit(0);
  run.as_runner(1).process().create("own.tmp", 8).exit(1);
  EXPECT_TRUE(faults_of(run.finish()).empty());
}

TEST(Serial, cannot_judge_what_comes_of_a_run_that_fails_halfway) {
  Recording run;
  run.initial().as_runner(0).process().create("file", 7).write("file", 7, 0, "3\n").exit(0);
  run.as_runner(1).process().create("log", 8).exit(1);
  const std::vector<Complaint> found = faults_of(run.finish());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().verdict, Verdict::kNotMeasured);
}

TEST(Serial, finds_what_who_is_refused_at_once_cannot_excuse) {
  Recording run;
  run.initial().as_runner(0).process().create("file", 7).write("file", 7, 0, "3\n").exit(0);
  run.as_runner(1).process().add(Kind::kMakeDirectory, "lock", "", 0, "", 0, -EEXIST).exit(1);
  const std::vector<Complaint> found = faults_of(run.finish());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().verdict, Verdict::kViolated);
}

TEST(Serial, finds_an_update_that_is_lost_though_both_say_that_they_worked) {
  EXPECT_EQ(faults_of(pair_whose_second_fails(0, "elsewhere")).size(), 1u);
}

TEST(Serial, finds_who_failed_because_the_other_took_its_temporary_file) {
  EXPECT_EQ(faults_of(pair_whose_second_fails(1, "own.tmp")).size(), 1u);
}

TEST(Serial, does_not_excuse_who_failed_after_it_had_changed_the_file_itself) {
  Recording run;
  run.initial().as_runner(0).process().create("file", 7).write("file", 7, 0, "1\n").exit(0);
  run.as_runner(1).process().empty("file", 7).write("file", 7, 0, "1\n").exit(1);
  const std::vector<Complaint> found = faults_of(run.finish());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().verdict, Verdict::kNotMeasured);
}

TEST(Serial, finds_who_empties_the_file_and_is_refused_then) {
  Recording run;
  run.initial().as_runner(0).process().create("file", 7).write("file", 7, 0, "1\n").exit(0);
  run.as_runner(1).process().empty("file", 7).exit(1);
  const std::vector<Complaint> found = faults_of(run.finish());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().verdict, Verdict::kViolated);
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
  EXPECT_EQ(found.front().path, "mail a");
}

}  // namespace
}  // namespace everycrash
