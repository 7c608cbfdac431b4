#include "scenarios/job_ledger/publish_lock.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>

namespace scenarios::job_ledger {
namespace {

int64_t now_ms() {
  using std::chrono::milliseconds;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<milliseconds>(now).count();
}

/// A process that has ended.
RunnerIdentity dead_runner() {
  RunnerIdentity identity = *own_identity();
  const pid_t pid = fork();
  if (pid == 0) _exit(0);
  waitpid(pid, nullptr, 0);
  identity.pid = pid;
  return identity;
}

class PublishLockTest : public testing::Test {
 protected:
  PublishLockTest() {
    path_ = testing::TempDir() + "publish_lock.XXXXXX";
    locks_ = FileDescriptor(open(mkdtemp(path_.data()), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  ~PublishLockTest() override { std::filesystem::remove_all(path_); }

  [[nodiscard]] bool can_take(int64_t later_ms = 0) const {
    const auto taken = PublishLock::take(locks_.get(), {.now_ms = now_ms() + later_ms});
    EXPECT_TRUE(taken) << taken.error().message;
    return taken && *taken;
  }
  void write_lock(std::string_view text) const {
    const FileDescriptor lock(
        openat(locks_.get(), kLockName, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    ASSERT_TRUE(write_all(lock.get(), text, kLockName));
  }

  std::string path_;
  FileDescriptor locks_;
};

constexpr int64_t kYoungMs = kStaleMs - 5000;
constexpr int64_t kOldMs = kStaleMs + 5000;

TEST_F(PublishLockTest, AdmitsOneUntilItIsReleased) {
  auto lock = PublishLock::take(locks_.get(), {.now_ms = now_ms()});
  ASSERT_TRUE(lock && *lock);
  EXPECT_FALSE(can_take());
  EXPECT_TRUE((*lock)->release());
  EXPECT_TRUE(can_take());
}

TEST_F(PublishLockTest, StaysWithALiveRunnerHoweverOld) {
  auto lock = PublishLock::take(locks_.get(), {.now_ms = now_ms()});
  ASSERT_TRUE(lock && *lock);
  EXPECT_FALSE(can_take(kOldMs));
  EXPECT_FALSE(can_take(365 * 24 * 3600 * int64_t{1000}));
}

TEST_F(PublishLockTest, OfADeadRunnerIsTakenOverOnceItIsOld) {
  write_lock(to_text(dead_runner()));
  EXPECT_FALSE(can_take(kYoungMs));
  EXPECT_TRUE(can_take(kOldMs));
}

TEST_F(PublishLockTest, IsNotFooledByAStrangerWithTheSamePid) {
  RunnerIdentity stranger = *own_identity();
  stranger.start -= 1;
  write_lock(to_text(stranger));
  EXPECT_FALSE(can_take(kYoungMs));
  EXPECT_TRUE(can_take(kOldMs));
}

TEST_F(PublishLockTest, IsNotFooledByTheSamePidAndStartAfterAnotherBoot) {
  RunnerIdentity before = *own_identity();
  before.boot = "0-0";
  write_lock(to_text(before));
  EXPECT_TRUE(can_take(kOldMs));
}

TEST_F(PublishLockTest, ThatIsEmptyIsTakenOverOnceItIsOld) {
  write_lock("");
  EXPECT_FALSE(can_take(kYoungMs));
  EXPECT_TRUE(can_take(kOldMs));
}

TEST_F(PublishLockTest, IsNotBlockedForHoursByAClockThatWasSetBack) {
  write_lock(to_text(dead_runner()));
  EXPECT_TRUE(can_take(-7200 * 1000));
}

TEST_F(PublishLockTest, OfAnotherIsNotRemovedByRelease) {
  auto lock = PublishLock::take(locks_.get(), {.now_ms = now_ms()});
  ASSERT_TRUE(lock && *lock);
  ASSERT_EQ(renameat(locks_.get(), kLockName, locks_.get(), "away"), 0);
  write_lock(to_text(*own_identity()));
  EXPECT_TRUE((*lock)->release());
  EXPECT_TRUE(*read_lock(locks_.get()));
}

TEST_F(PublishLockTest, ThatIsStaleIsWhatLeaveStaleLockLeaves) {
  const pid_t pid = fork();
  if (pid == 0) _exit(leave_stale_lock(locks_.get()) ? 0 : 1);
  int status = 0;
  waitpid(pid, &status, 0);
  ASSERT_EQ(status, 0);
  EXPECT_TRUE(can_take());
}

TEST(RunnerIdentity, ReadsBackAsWritten) {
  const RunnerIdentity identity = *own_identity();
  EXPECT_EQ(parse_identity(to_text(identity)), identity);
  EXPECT_TRUE(is_running(identity));
}

TEST(RunnerIdentity, CutShortIsNone) {
  const std::string text = to_text(*own_identity());
  for (size_t size = 0; size < text.size(); ++size) {
    EXPECT_FALSE(parse_identity(text.substr(0, size))) << size;
  }
  EXPECT_FALSE(parse_identity(std::string(text.size(), '\0')));
}

TEST(RunnerIdentity, OfAProcessThatNobodyHasWaitedForIsNotRunning) {
  RunnerIdentity identity = *own_identity();
  const pid_t pid = fork();
  if (pid == 0) _exit(0);
  identity.pid = pid;
  siginfo_t info{};
  waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT);
  EXPECT_TRUE(is_pid_in_use(pid));
  EXPECT_FALSE(is_running(identity));
  waitpid(pid, nullptr, 0);
}

}  // namespace
}  // namespace scenarios::job_ledger
