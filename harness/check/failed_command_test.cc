#include "harness/check/failed_command.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>

namespace everycrash {
namespace {

using How = Ending::How;

Complaint complaint(Judge judge, Ending ending, const std::string& said = "") {
  return complaint_of({.judge = judge, .ending = ending, .program = "/no/such", .said = said});
}

TEST(FailedCommand, is_none_where_all_is_well) {
  const Command command{.argv = {"check"}};
  EXPECT_FALSE(failure_of(Judge::kChecker, command, {}));
  EXPECT_TRUE(failure_of(Judge::kChecker, command, {.left_processes = true}));
  EXPECT_FALSE(failure_of(Judge::kRecovery, command, {.left_processes = true}));
}

TEST(FailedCommand, rejects_by_its_exit_status_or_a_signal) {
  const Complaint by_status = complaint(Judge::kChecker, {How::kExited, 2}, "f is bad");
  EXPECT_EQ(by_status.wrong, Wrong::kRejected);
  EXPECT_EQ(by_status.verdict, Verdict::kViolated);
  EXPECT_EQ(by_status.message, "the checker: exit status 2\nf is bad");
  EXPECT_EQ(by_status.said, "f is bad");
  EXPECT_EQ(complaint(Judge::kResume, {How::kSignaled, SIGSEGV}).signal, SIGSEGV);
}

TEST(FailedCommand, cannot_tell_only_where_it_is_the_checker) {
  EXPECT_EQ(complaint(Judge::kChecker, {How::kExited, 77}).wrong, Wrong::kCannotTell);
  EXPECT_EQ(complaint(Judge::kChecker, {How::kExited, 77}).verdict, Verdict::kNotMeasured);
  EXPECT_EQ(complaint(Judge::kRecovery, {How::kExited, 77}).wrong, Wrong::kRejected);
}

TEST(FailedCommand, that_cannot_be_started_breaks_the_harness) {
  const Complaint said = complaint(Judge::kRecovery, {How::kNotStarted, ENOENT});
  EXPECT_EQ(said.wrong, Wrong::kNotStarted);
  EXPECT_EQ(said.verdict, Verdict::kHarnessBroken);
  EXPECT_EQ(said.message, "recovery cannot be started: /no/such: No such file or directory");
}

TEST(FailedCommand, that_leaves_processes_may_have_left_the_check) {
  const Complaint said =
      complaint_of({.judge = Judge::kChecker, .left_processes = true, .said = "ok"});
  EXPECT_EQ(said.wrong, Wrong::kLeavesProcesses);
  EXPECT_EQ(said.verdict, Verdict::kNotMeasured);
  EXPECT_EQ(said.message,
            "the checker: exit status 0; it left processes behind, which were killed\nok");
}

TEST(FailedCommand, that_does_not_end_says_so_of_the_undisturbed_state_too) {
  FailedCommand failed{.judge = Judge::kResume, .ending = {How::kTimedOut, 4000}};
  EXPECT_EQ(complaint_of(failed).wrong, Wrong::kTimedOut);
  EXPECT_EQ(complaint_of(failed).message,
            "running it again does not end: it was killed after 4 s; on an undisturbed state it "
            "ends");
  failed.undisturbed = true;
  EXPECT_EQ(complaint_of(failed).message, "running it again does not end: it was killed after 4 s");
}

TEST(FailedCommand, is_told_in_one_line) {
  FailedCommand failed{.judge = Judge::kResume, .ending = {How::kExited, 1}};
  EXPECT_EQ(in_one_line(failed), "running it again: exit status 1");
  failed.said = "no such file";
  EXPECT_EQ(in_one_line(failed), "running it again: exit status 1: no such file");
  failed.said = "no such file\nsorry";
  EXPECT_EQ(in_one_line(failed), "running it again: exit status 1: no such file ...");
}

}  // namespace
}  // namespace everycrash
