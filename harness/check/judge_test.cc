#include "harness/check/judge.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "harness/base/folder_for_test.h"
#include "harness/trace/recording_for_test.h"

namespace everycrash {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr uint32_t kRewrite = O_WRONLY | O_CREAT | O_TRUNC;
constexpr uint64_t kFile = 10;

/// The workload of these tests writes "whole" to the file f; it is given as shell commands.
class JudgeTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(base_ / "state");
    options_.limit_ms = 5'000;
  }

  static Command shell(const std::string& script) {
    return make_command({"/bin/sh", "-c", script}, "/");
  }

  /// Records what a workload did that writes f in two steps and reports an effect.
  void record(bool existed = false) {
    uint64_t inode = kFile;
    if (existed) {
      std::ofstream(recording_.tree() / "f") << "old";
      struct stat info {};
      stat((recording_.tree() / "f").c_str(), &info);
      inode = info.st_ino;
    }
    recording_.initial()
        .open("f", inode, kRewrite, existed ? format::kTruncated : format::kCreated)
        .write("f", inode, 0, "wh")
        .write("f", inode, 2, "ole")
        .event("effect mail order-1")
        .print("done\n");
    trace_.emplace(recording_.finish());
  }

  /// Records what a workload did that writes f under a name that no other run takes.
  void record_with_temporary() {
    recording_.initial()
        .open("f.Xa71", kFile, kRewrite, format::kCreated)
        .write("f.Xa71", kFile, 0, "who")
        .write("f.Xa71", kFile, 3, "le")
        .rename("f.Xa71", "f", kFile)
        .print("done\n");
    trace_.emplace(recording_.finish());
  }

  /// Prepares the judge as a run does.
  void start() {
    Result<History> history = History::of(*trace_);
    ASSERT_TRUE(history);
    Result<Promises> promises = Promises::find(*history, options_.acknowledgement);
    ASSERT_TRUE(promises);
    grounds_ = {std::move(*history), *promises, options_, {}};
    Result<std::unique_ptr<Sandbox>> sandbox =
        Sandbox::start({base_ / "state", base_ / "worker", false});
    ASSERT_TRUE(sandbox) << sandbox.error().message;
    judge_ = std::make_unique<StateJudge>(std::move(*sandbox), grounds_);
    Result<Selection> selection = judge_->decide();
    ASSERT_TRUE(selection) << selection.error().message;
    grounds_.selection = *selection;
  }

  /// What is not judged, as a person reads it.
  std::vector<std::string> not_judged() {
    std::vector<std::string> lines;
    for (const NotJudged& fact : grounds_.selection.not_judged) lines.push_back(describe(fact));
    return lines;
  }

  /// Complaints about the state after NUMBER operations.
  std::vector<Complaint> judge(int number) {
    if (!judge_) start();
    FileSystem state = *FileSystem::initial(*trace_);
    std::string printed, events;
    uint64_t done = 0;
    for (const Operation& operation : trace_->records()) {
      if (operation.kind == Kind::kInitial) continue;
      if (number-- == 0) break;
      done = operation.sequence;
      EXPECT_TRUE(state.apply(operation));
      if (operation.kind == Kind::kPrint) printed += operation.payload;
      if (operation.kind == Kind::kEvent) events += operation.payload;
    }
    Result<std::vector<Complaint>> complaints =
        judge_->judge({.tree = &state, .record = done, .printed = printed, .events = events});
    EXPECT_TRUE(complaints) << complaints.error().message;
    return complaints ? *complaints : std::vector<Complaint>{};
  }

  /// The only complaint about that state.
  Complaint one_complaint(int number) {
    const std::vector<Complaint> complaints = judge(number);
    EXPECT_THAT(complaints, SizeIs(1));
    return complaints.size() == 1 ? complaints[0] : Complaint{};
  }

  FolderForTest base_;
  Recording recording_;
  std::optional<Trace> trace_;
  JudgeOptions options_;
  Grounds grounds_;
  std::unique_ptr<StateJudge> judge_;
};

constexpr int kHalf = 2;  // operations until the file is half written
constexpr int kAll = 5;

TEST_F(JudgeTest, lets_the_checker_alone_decide) {
  record();
  options_.check = shell("test \"$(cat f)\" = whole || { echo \"f is bad\"; exit 1; }");
  EXPECT_THAT(judge(kAll), IsEmpty());
  const Complaint complaint = one_complaint(kHalf);
  EXPECT_EQ(complaint.judge, Judge::kChecker);
  EXPECT_EQ(complaint.verdict, Verdict::kViolated);
  EXPECT_EQ(complaint.message, "the checker: exit status 1\nf is bad");
}

TEST_F(JudgeTest, shows_what_recovery_leaves) {
  record();
  options_.check = shell("grep -q repaired f");
  options_.recover = shell("echo repaired > f");
  start();
  const FileSystem state = *FileSystem::initial(*trace_);
  const Result<Aftermath> after = judge_->aftermath({.tree = &state});
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_EQ(after->what, "recovery");
  ASSERT_TRUE(after->tree);
  EXPECT_EQ(after->tree->content(after->tree->find("f")), "repaired\n");
}

TEST_F(JudgeTest, shows_what_the_checker_leaves_where_nothing_else_runs) {
  record();
  options_.check = shell("touch g");
  start();
  const FileSystem state = *FileSystem::initial(*trace_);
  const Result<Aftermath> after = judge_->aftermath({.tree = &state});
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_EQ(after->what, "the checker");
  EXPECT_NE(after->tree->find("g"), kNoNode);
}

TEST_F(JudgeTest, repairs_what_a_checker_changed_before_the_next_state) {
  record();
  options_.check = shell("test \"$(cat f)\" = whole && rm f && mkdir f d");
  EXPECT_THAT(judge(kAll), IsEmpty());
  EXPECT_THAT(judge(kAll), IsEmpty());
}

TEST_F(JudgeTest, gives_the_checker_what_was_printed_and_done) {
  record();
  options_.check =
      shell("cat $EVERYCRASH_STDOUT $EVERYCRASH_EFFECTS; echo $EVERYCRASH_DIR; exit 1");
  EXPECT_EQ(one_complaint(kAll).message,
            "the checker: exit status 1\ndone\neffect mail order-1\n" + (base_ / "state").string());
}

TEST_F(JudgeTest, does_not_count_a_checker_that_cannot_judge) {
  record();
  options_.check = shell("exit 77");
  EXPECT_EQ(one_complaint(kHalf).verdict, Verdict::kNotMeasured);
}

TEST_F(JudgeTest, holds_a_crash_of_the_checker_against_the_state) {
  record();
  options_.check = shell("kill -SEGV $$");
  const Complaint complaint = one_complaint(kHalf);
  EXPECT_EQ(complaint.verdict, Verdict::kViolated);
  EXPECT_EQ(complaint.message, "the checker: killed by SIGSEGV");
}

TEST_F(JudgeTest, accuses_a_checker_that_hangs_only_after_a_second_try) {
  record();
  options_.check = shell("sleep 60");
  options_.limit_ms = 250;
  EXPECT_EQ(one_complaint(kHalf).message,
            "the checker does not end: it was killed after 1 s; on an undisturbed state it ends");
}

TEST_F(JudgeTest, forgives_a_checker_that_was_only_slow_once) {
  record();
  options_.check = shell("sleep 0.4");
  options_.limit_ms = 200;
  EXPECT_THAT(judge(kHalf), IsEmpty());
}

TEST_F(JudgeTest, does_not_believe_a_checker_that_forks_away) {
  record();
  options_.check = shell("setsid sleep 60 & exit 0");
  const Complaint complaint = one_complaint(kHalf);
  EXPECT_EQ(complaint.verdict, Verdict::kNotMeasured);
  EXPECT_THAT(complaint.message, HasSubstr("left processes behind"));
}

TEST_F(JudgeTest, says_why_a_checker_cannot_write_outside) {
  record();
  options_.check = shell("echo x > /etc/everycrash-outside");
  const Complaint complaint = one_complaint(kHalf);
  if (!judge_->sandbox().capabilities().mount_namespace) GTEST_SKIP() << "needs a mount namespace";
  EXPECT_THAT(complaint.message, HasSubstr("what is outside is protected"));
}

TEST_F(JudgeTest, calls_a_missing_checker_a_broken_harness) {
  record();
  options_.check = make_command({"/missing/checker"}, "/");
  const Complaint complaint = one_complaint(kAll);
  EXPECT_EQ(complaint.verdict, Verdict::kHarnessBroken);
  EXPECT_THAT(complaint.message,
              HasSubstr("the checker cannot be started: /missing/checker: No such file"));
  Status undisturbed = judge_->check_undisturbed();
  ASSERT_FALSE(undisturbed);
  EXPECT_EQ(undisturbed.error().kind, ErrorKind::kHarness);
}

TEST_F(JudgeTest, says_what_keeps_a_checker_from_being_started) {
  record();
  const std::filesystem::path file = base_ / "check";
  std::ofstream(file) << "true\n";
  std::filesystem::permissions(file, std::filesystem::perms::owner_read);
  options_.check = make_command({file.string()}, "/");
  EXPECT_THAT(one_complaint(kAll).message,
              testing::EndsWith("Permission denied\nMake it a program: chmod +x " + file.string()));
}

TEST_F(JudgeTest, resumes_nothing_that_recovery_fails_on_undisturbed) {
  record();
  options_.recover = make_command({"/missing/recovery"}, "/");
  start();
  EXPECT_THAT(not_judged(),
              Contains(HasSubstr("resume: recovery cannot be started: /missing/recovery")));
  const Status undisturbed = judge_->check_undisturbed();
  ASSERT_FALSE(undisturbed);
  EXPECT_THAT(undisturbed.error().message, HasSubstr("/missing/recovery: No such file"));
}

TEST_F(JudgeTest, resumes_where_recovery_does_not_know_what_to_do_without_state) {
  record();
  options_.recover = shell("test -e f");
  options_.resume = shell("printf whole > f");
  start();
  EXPECT_THAT(grounds_.selection.judges, Contains(Judge::kResume));
}

TEST_F(JudgeTest, runs_recovery_before_the_checker) {
  record();
  options_.check = shell("test \"$(cat f)\" = whole");
  options_.recover = shell("printf whole > f");
  EXPECT_THAT(judge(kHalf), IsEmpty());
  options_.recover = shell("exit 4");
  judge_.reset();
  const Complaint complaint = one_complaint(kHalf);
  EXPECT_EQ(complaint.judge, Judge::kRecovery);
  EXPECT_EQ(complaint.message, "recovery: exit status 4");
}

TEST_F(JudgeTest, wants_recovery_to_change_nothing_the_second_time) {
  record();
  options_.recover = shell("echo x >> recovered");
  options_.oracles = {Judge::kRecoveryTwice};
  const Complaint complaint = one_complaint(kHalf);
  EXPECT_EQ(complaint.judge, Judge::kRecoveryTwice);
  EXPECT_THAT(complaint.message, HasSubstr("recovered: 2 bytes expected, 4 found"));
}

TEST_F(JudgeTest, uses_all_oracles_that_apply_without_a_checker) {
  record();
  options_.resume = shell("printf whole > f; chmod 644 f");
  start();
  EXPECT_THAT(grounds_.selection.judges,
              ElementsAre(Judge::kHalfFile, Judge::kAcknowledged, Judge::kResume,
                          Judge::kNoLeftovers, Judge::kExactlyOnce));
  EXPECT_THAT(not_judged(), IsEmpty());
}

TEST_F(JudgeTest, forgives_a_new_half_file_that_a_resumed_run_makes_whole) {
  record();
  options_.resume = shell(
      "printf whole > f; grep -q mail $EVERYCRASH_EFFECTS || "
      "echo effect mail order-1 >> $EVERYCRASH_EVENTS");
  EXPECT_THAT(judge(kHalf), IsEmpty());
}

TEST_F(JudgeTest, does_not_forgive_a_lost_old_version) {
  record(true);
  options_.resume = shell(
      "printf whole > f; grep -q mail $EVERYCRASH_EFFECTS || "
      "echo effect mail order-1 >> $EVERYCRASH_EVENTS");
  EXPECT_EQ(one_complaint(kHalf).judge, Judge::kHalfFile);
}

TEST_F(JudgeTest, names_an_effect_that_a_resumed_run_does_not_make_up_for) {
  record();
  options_.resume = shell("printf whole > f");
  EXPECT_THAT(one_complaint(kHalf).message, HasSubstr("mail order-1 never happens"));
}

TEST_F(JudgeTest, names_what_is_different_after_a_resumed_run) {
  record();
  options_.resume = shell("test \"$(cat f)\" = whole || { echo x > f; echo y > temp; }");
  options_.oracles = {Judge::kResume, Judge::kNoLeftovers};
  const std::vector<Complaint> complaints = judge(kHalf);
  ASSERT_THAT(complaints, SizeIs(2));
  EXPECT_EQ(complaints[0].message,
            "running it again does not lead to the result of an undisturbed run:\n"
            "f: 5 bytes expected, 2 found");
  EXPECT_EQ(complaints[1].message,
            "running it again leaves what an undisturbed run does not:\n"
            "temp: not expected (a file of 2 bytes)");
  EXPECT_EQ(complaints[1].path, "temp");
}

TEST_F(JudgeTest, does_not_compare_what_no_two_runs_leave_alike) {
  record();
  options_.resume = shell("test \"$(cat f)\" = whole || date +%N%s > f");
  EXPECT_THAT(judge(kHalf), Not(Contains(Field(&Complaint::judge, Judge::kResume))));
  EXPECT_THAT(judge(0), Not(Contains(Field(&Complaint::judge, Judge::kResume))));
  EXPECT_THAT(not_judged(), Contains(HasSubstr("the content of f after a resumed run")));
}

TEST_F(JudgeTest, compares_what_varies_where_the_resumed_run_did_not_write_it) {
  record();
  options_.resume = shell("test -s f || date +%N%s > f");
  EXPECT_THAT(judge(kHalf), Contains(Field(&Complaint::judge, Judge::kResume)));
}

TEST_F(JudgeTest, gives_up_resuming_where_no_two_runs_leave_the_same_names) {
  record();
  options_.resume = shell("test \"$(cat f)\" = whole || { printf whole > f; mktemp ./XXXXXX; }");
  EXPECT_THAT(judge(kHalf), Not(Contains(Field(&Complaint::judge, Judge::kNoLeftovers))));
  EXPECT_THAT(not_judged(), Contains(HasSubstr("no two undisturbed runs leave the same")));
}

TEST_F(JudgeTest, forgives_a_temporary_file_that_stays_behind) {
  record_with_temporary();
  options_.resume = shell("printf whole > f");
  EXPECT_THAT(judge(kHalf), IsEmpty());
  EXPECT_THAT(not_judged(), ElementsAre(HasSubstr("temporary files (f.Xa71)")));
}

TEST_F(JudgeTest, holds_a_temporary_file_against_a_workload_where_that_is_asked) {
  record_with_temporary();
  options_.resume = shell("printf whole > f");
  options_.oracles = {Judge::kNoLeftovers};
  const Complaint complaint = one_complaint(kHalf);
  EXPECT_EQ(complaint.judge, Judge::kNoLeftovers);
  EXPECT_EQ(complaint.path, "f.Xa71");
}

TEST_F(JudgeTest, does_not_resume_what_a_second_run_changes) {
  record();
  options_.resume = shell("date +%N > f; true");
  start();
  EXPECT_THAT(grounds_.selection.judges,
              ElementsAre(Judge::kHalfFile, Judge::kAcknowledged, Judge::kExactlyOnce));
  EXPECT_THAT(not_judged(), Contains(HasSubstr("resume: a second run changes something (f: ")));
}

TEST_F(JudgeTest, says_in_one_line_why_a_second_run_fails) {
  record();
  options_.resume = shell("echo f is there; echo goodbye; exit 1");
  start();
  EXPECT_THAT(not_judged(),
              Contains("resume: running it again: exit status 1: f is there ...; give --resume if "
                       "the workload is meant to go on after a crash"));
}

TEST_F(JudgeTest, does_not_resume_what_a_second_run_does_again) {
  record();
  options_.resume = shell("echo effect mail order-1 >> $EVERYCRASH_EVENTS");
  start();
  EXPECT_THAT(not_judged(), Contains(HasSubstr("the same effects again")));
}

TEST_F(JudgeTest, keeps_an_oracle_that_was_asked_for_by_name) {
  record();
  options_.resume = shell("date +%N > f; true");
  options_.oracles = {Judge::kResume, Judge::kExactlyOnce};
  start();
  EXPECT_THAT(grounds_.selection.judges, ElementsAre(Judge::kResume, Judge::kExactlyOnce));
}

}  // namespace
}  // namespace everycrash
