#include "harness/check/selection.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "harness/trace/recording_for_test.h"

namespace everycrash {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr uint64_t kFile = 10;

const Difference kContent{Difference::Kind::kContent, "f", "f: other bytes"};
const Difference kMissing{Difference::Kind::kMissing, "f", "f: missing"};
const FailedCommand kFails{.judge = Judge::kResume,
                           .ending = {Ending::How::kExited, 3},
                           .program = "w",
                           .said = "no\nway"};

/// Undisturbed runs without a process.
class FakeRuns : public UndisturbedRuns {
 public:
  UndisturbedRun again, from_start;
  int made = 0;

  Result<UndisturbedRun> run_again() override { return made_as(again); }
  Result<UndisturbedRun> run_from_start() override { return made_as(from_start); }

 private:
  Result<UndisturbedRun> made_as(const UndisturbedRun& run) {
    ++made;
    return run;
  }
};

/// What is chosen for a workload that makes the file f, has one effect and prints.
class SelectionTest : public testing::Test {
 protected:
  SelectionTest() {
    recording_.initial()
        .open("f", kFile, O_WRONLY | O_CREAT | O_TRUNC, format::kCreated)
        .write("f", kFile, 0, "whole")
        .event("effect mail order-1")
        .print("done\n");
    const Trace trace = recording_.finish();
    grounds_.history = *History::of(trace);
    grounds_.promises = *Promises::find(grounds_.history, {});
  }

  Selection select() {
    const Result<Selection> selection = select_oracles(grounds_, runs_);
    EXPECT_TRUE(selection) << selection.error().message;
    return selection.value_or(Selection());
  }
  std::vector<std::string> not_judged() {
    std::vector<std::string> lines;
    for (const NotJudged& fact : select().not_judged) lines.push_back(describe(fact));
    return lines;
  }
  JudgeOptions& options() { return grounds_.options; }

  Recording recording_;
  Grounds grounds_;
  FakeRuns runs_;
};

TEST_F(SelectionTest, is_all_that_applies_by_default) {
  EXPECT_THAT(select().judges, ElementsAre(Judge::kHalfFile, Judge::kAcknowledged, Judge::kResume,
                                           Judge::kNoLeftovers, Judge::kExactlyOnce));
  EXPECT_THAT(not_judged(), IsEmpty());
}

TEST_F(SelectionTest, is_the_checker_alone_where_one_is_given) {
  options().check.argv = {"check"};
  EXPECT_THAT(select().judges, ElementsAre(Judge::kChecker));
  EXPECT_EQ(runs_.made, 0);
}

TEST_F(SelectionTest, gives_up_resuming_where_the_second_run_changes_something) {
  runs_.again.left.others = {kContent};
  EXPECT_THAT(select().judges,
              ElementsAre(Judge::kHalfFile, Judge::kAcknowledged, Judge::kExactlyOnce));
  EXPECT_THAT(not_judged(),
              ElementsAre("resume: a second run changes something (f: other bytes); give --resume "
                          "if the workload is meant to go on after a crash",
                          "half file of f, until it was whole for the first time: nothing tells "
                          "whether that does harm; give a checker, or --oracle half-file"));
}

TEST_F(SelectionTest, tells_what_a_second_run_said_when_it_failed) {
  runs_.again.failed = kFails;
  EXPECT_THAT(select().judges, ElementsAre(Judge::kHalfFile, Judge::kAcknowledged));
  EXPECT_THAT(not_judged(), Contains("resume: running it again: exit status 3: no ...; give "
                                     "--resume if the workload is meant to go on after a crash"));
}

TEST_F(SelectionTest, tells_of_resuming_where_only_effects_need_it) {
  options().oracles = {Judge::kExactlyOnce};
  runs_.again.failed = kFails;
  EXPECT_THAT(select().judges, ElementsAre(Judge::kExactlyOnce));
  ASSERT_EQ(select().not_judged.size(), 1u);
  EXPECT_EQ(select().not_judged[0].why, Unjudged::kSecondRunFails);
  EXPECT_EQ(select().not_judged[0].judge, Judge::kResume);
}

TEST_F(SelectionTest, leaves_out_effects_that_each_run_has) {
  runs_.again.left.events = "effect mail order-1\n";
  const Selection selection = select();
  EXPECT_FALSE(selection.has(Judge::kExactlyOnce));
  EXPECT_TRUE(selection.habitual.contains("mail", "order-1"));
  EXPECT_THAT(not_judged(),
              Contains("exactly once of mail order-1: a second run does that again, also without a "
                       "crash; give --oracle exactly-once if it must not"));
}

TEST_F(SelectionTest, compares_no_content_that_varies) {
  runs_.from_start.left.others = {kContent};
  const Selection selection = select();
  EXPECT_TRUE(selection.has(Judge::kResume));
  EXPECT_THAT(selection.varying, ElementsAre("f"));
  EXPECT_THAT(not_judged(), ElementsAre("the content of f after a resumed run: no two undisturbed "
                                        "runs leave the same; give a checker"));
}

TEST_F(SelectionTest, gives_up_resuming_where_names_vary) {
  runs_.from_start.left.others = {kContent, kMissing};
  EXPECT_THAT(select().judges,
              ElementsAre(Judge::kHalfFile, Judge::kAcknowledged, Judge::kExactlyOnce));
  EXPECT_THAT(not_judged(), ElementsAre("resume: no two undisturbed runs leave the same (f: "
                                        "missing); give --ignore for what differs, or a checker"));
}

TEST_F(SelectionTest, gives_up_all_that_resumes_where_a_run_from_the_start_fails) {
  runs_.from_start.failed = kFails;
  EXPECT_THAT(select().judges, ElementsAre(Judge::kHalfFile, Judge::kAcknowledged));
}

TEST_F(SelectionTest, fails_where_what_is_to_be_resumed_cannot_be_run_again) {
  options().resume_asked = true;
  runs_.from_start.failed = kFails;
  const Result<Selection> selection = select_oracles(grounds_, runs_);
  ASSERT_FALSE(selection);
  EXPECT_EQ(selection.error().kind, ErrorKind::kHarness);
}

TEST_F(SelectionTest, takes_no_word_from_a_run_whose_recovery_failed) {
  runs_.from_start.recovery_failed = kFails;
  EXPECT_TRUE(select().has(Judge::kResume));
}

TEST_F(SelectionTest, sends_nothing_again_to_other_machines) {
  grounds_.effects.outside_peer = true;
  EXPECT_THAT(select().judges, ElementsAre(Judge::kHalfFile, Judge::kAcknowledged));
  EXPECT_EQ(runs_.made, 0);
  EXPECT_EQ(select().not_judged.front().why, Unjudged::kSendsOutside);
}

TEST_F(SelectionTest, keeps_what_is_asked_for_by_name) {
  options().oracles = {Judge::kResume, Judge::kRecoveryTwice};
  runs_.again.left.others = {kContent};
  EXPECT_THAT(select().judges, ElementsAre(Judge::kResume));
  EXPECT_EQ(not_judged().front(), "recovery twice: give a recovery command");
}

}  // namespace
}  // namespace everycrash
