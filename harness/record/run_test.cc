// How a run ends: by itself, by its time limit, at a chosen point, by SIGKILL; and what is refused.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "harness/record/recorder.h"
#include "harness/record/recorder_fixture.h"

namespace everycrash {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::SizeIs;

class RunTest : public RecorderTest {
 protected:
  void stop_at(StopPoint stop) { options_.stop = std::move(stop); }
  void refuse(std::vector<std::string> command, ErrorKind kind, const std::string& message) {
    options_.command = std::move(command);
    const Result<RecordOutcome> outcome = record(options_);
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().kind, kind);
    EXPECT_THAT(outcome.error().message, HasSubstr(message));
  }
};

TEST_F(RunTest, PassesTheExitStatusOn) {
  run({"sh", "-c", "echo trouble >&2; exit 9"}, false);
  EXPECT_EQ(describe(outcome_.end), "exit status 9");
  EXPECT_EQ(outcome_.stderr_tail, "trouble\n");
}

TEST_F(RunTest, TellsASignalFromAnExitStatus) {
  run({"sh", "-c", "kill -9 $$"}, false);
  EXPECT_EQ(describe(outcome_.end), "killed by SIGKILL");
}

TEST_F(RunTest, KeepsStandardOutputInAFile) {
  run_shell("echo one; echo two");
  std::ifstream file(outcome_.stdout_file);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "one\ntwo\n");
}

TEST_F(RunTest, EndsAWorkloadThatNeverEnds) {
  options_.timeout = std::chrono::milliseconds(200);
  run({"sh", "-c", "trap '' TERM; while :; do sleep 0.05; done"}, false);
  EXPECT_EQ(describe(outcome_.end), "ran out of time");
}

TEST_F(RunTest, KillsADaemonThatOutlivesItsParent) {
  options_.grace = std::chrono::milliseconds(100);
  run({"sh", "-c", "setsid sleep 60 & setsid sh -c 'sleep 60; true' &"});
  EXPECT_GE(outcome_.leftover_processes, 2);
}

TEST_F(RunTest, WaitsForADaemonThatEndsSoon) {
  run({"sh", "-c", "(sleep 0.2; echo late > late) &"});
  EXPECT_EQ(outcome_.leftover_processes, 0);
  EXPECT_EQ(content("late"), "late\n");
  EXPECT_THAT(operations(), Contains(HasSubstr("write late 0+5")));
}

TEST_F(RunTest, RefusesWhatCannotBeRecorded) {
  refuse({"/no/such/program"}, ErrorKind::kUsage, "no such program");
  refuse({"no-such-program-anywhere"}, ErrorKind::kUsage, "in PATH");
  refuse({program("static")}, ErrorKind::kHarness, "statically linked");
  const std::filesystem::path script = base_ / "script";
  std::ofstream(script) << "#!" << program("static") << " -x\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  refuse({script.string()}, ErrorKind::kHarness, "statically linked");
}

TEST_F(RunTest, RefusesAMissingStateDirectory) {
  options_.state_directory = base_ / "missing";
  refuse({"true"}, ErrorKind::kUsage, "cannot be used");
}

TEST_F(RunTest, NamesAProgramThatHasNoRightToTheTrace) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give its user id up";
  std::filesystem::permissions(options_.work_directory, std::filesystem::perms::owner_all);
  run({"setpriv", "--reuid=65534", "--clear-groups", "sh", "-c", "echo x > y"}, false);
  EXPECT_EQ(describe(outcome_.end), "exit status 97");
  EXPECT_THAT(outcome_.stderr_tail, HasSubstr("cannot record this program"));
  ASSERT_THAT(all(Kind::kUnsupported), SizeIs(1));
  EXPECT_EQ(all(Kind::kUnsupported)[0].mode, static_cast<uint32_t>(Unsupported::kPreloadFailed));
}

TEST_F(RunTest, StopsAfterTheChosenOperation) {
  stop_at({"rename(state)", 2});
  run({"sh", "-c", "for i in 1 2 3; do echo $i > tmp; mv tmp state; done"}, false);
  EXPECT_TRUE(outcome_.reached_point);
  EXPECT_EQ(content("state"), "2\n");
  EXPECT_EQ(all(Kind::kRename).back().other_path, "state");  // the trace ends there
  EXPECT_EQ(all(Kind::kRename).back().sequence, trace_->records().back().sequence);
}

TEST_F(RunTest, StopsBeforeTheChosenOperation) {
  stop_at({"rename(state)", 2, std::nullopt, true});
  run({"sh", "-c", "for i in 1 2 3; do echo $i > tmp; mv tmp state; done"}, false);
  EXPECT_TRUE(outcome_.reached_point);
  EXPECT_EQ(content("state"), "1\n");
  EXPECT_EQ(content("tmp"), "2\n");
}

TEST_F(RunTest, CutsAWriteShort) {
  stop_at({"write(data)", 1, 3});
  run({"sh", "-c", "echo abcdefgh > data"}, false);
  EXPECT_TRUE(outcome_.reached_point);
  EXPECT_EQ(content("data"), "abc");
  EXPECT_EQ(all(Kind::kWrite).at(0).length, 3);
}

TEST_F(RunTest, StopsAtAStep) {
  stop_at({"step second", 1});
  run({"sh", "-c",
       "for s in first second third; do echo step $s >> $EVERYCRASH_EVENTS; echo $s > now; done"},
      false);
  EXPECT_TRUE(outcome_.reached_point);
  EXPECT_EQ(content("now"), "first\n");
}

TEST_F(RunTest, StopsAtANameWithAProcessIdInIt) {
  stop_at({"open(tmp.<pid>)", 1});
  run({"sh", "-c", "echo x > tmp.$$; echo y > after"}, false);
  EXPECT_TRUE(outcome_.reached_point);
  EXPECT_FALSE(std::filesystem::exists(state() / "after"));
}

TEST_F(RunTest, SaysThatThePointWasNotReached) {
  stop_at({"rename(never)", 1});
  run_shell("echo x > a");
  EXPECT_FALSE(outcome_.reached_point);
  EXPECT_EQ(describe(outcome_.end), "exit status 0");
}

TEST_F(RunTest, KeepsTheTraceOfAKilledWorkload) {
  for (const int delay_ms : {20, 35, 50}) {
    std::filesystem::remove(state() / "numbers");
    run({"sh", "-c",
         program("endless") + " & sleep 0.0" + std::to_string(delay_ms) +
             "; kill -9 $!; wait; true"});
    std::string written;
    for (const Operation& write : all(Kind::kWrite)) written += write.payload;
    const std::string now = content("numbers");
    // The last write may have happened without its record; that is then said.
    EXPECT_EQ(now.substr(0, written.size()), written);
    EXPECT_TRUE(now == written || trace_->interrupted_in_call() || !unsupported().empty());
    EXPECT_GT(written.size(), 100U);
  }
}

// Waits up to two seconds for CONDITION.
template <typename Condition>
bool comes_true(Condition condition) {
  for (int i = 0; i < 200 && !condition(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return condition();
}

TEST_F(RunTest, LeavesNothingBehindWhenItIsKilledItself) {
  options_.command = {"sh", "-c",
                      "echo $$ > main; setsid sh -c 'echo $$ > daemon; sleep 60'; true"};
  const pid_t recorder = fork();
  if (recorder == 0) _exit(record(options_) ? 0 : 1);
  ASSERT_TRUE(comes_true([&] { return content("daemon").ends_with('\n'); }));
  kill(recorder, SIGKILL);
  waitpid(recorder, nullptr, 0);
  for (const char* file : {"main", "daemon"}) {
    const int process = std::stoi(content(file));
    EXPECT_TRUE(comes_true([&] { return kill(process, 0) != 0; })) << file;
  }
}

TEST_F(RunTest, EndsAtOnceWhenInterrupted) {
  std::atomic<bool> interrupted = false;
  options_.interrupted = &interrupted;
  options_.command = {"sh", "-c", "echo $$ > main; exec sleep 60"};
  std::thread later([&] {
    EXPECT_TRUE(comes_true([&] { return content("main").ends_with('\n'); }));
    interrupted = true;
  });
  const Result<RecordOutcome> outcome = record(options_);
  later.join();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().kind, ErrorKind::kInterrupted);
  EXPECT_NE(kill(std::stoi(content("main")), 0), 0);
}

TEST_F(RunTest, TwoRunsAtOnceDoNotMix) {
  RecordOptions other = options_;
  other.state_directory = base_ / "other_state";
  other.work_directory = base_ / "other_work";
  other.trace_file = other.work_directory / "trace";
  other.command = {"sh", "-c", "for i in 1 2 3 4 5; do echo $i > b; done"};
  std::filesystem::create_directory(other.state_directory);
  std::filesystem::create_directory(other.work_directory);
  std::thread second([&] { EXPECT_TRUE(record(other)); });
  run_shell("for i in 1 2 3 4 5; do echo $i > a; done");
  second.join();
  EXPECT_THAT(all(Kind::kWrite), SizeIs(5));
  EXPECT_THAT(all(Kind::kOpen), SizeIs(5));
}

TEST_F(RunTest, SaysThatTheTraceIsFull) {
  options_.trace_capacity = 8 << 20;
  run({"sh", "-c", "head -c 9000000 /dev/zero > big; echo end"});
  EXPECT_EQ(trace_->full(), EFBIG);
  EXPECT_EQ(std::filesystem::file_size(state() / "big"), 9000000U);
}

}  // namespace
}  // namespace everycrash
