// Saving, locking and cleaning up, within one process: flock works between two open files too.
#include "scenarios/state_manager/state_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace scenarios::state_manager {
namespace {

namespace fs = std::filesystem;

class StoreTest : public testing::Test {
 protected:
  StoreTest() {
    std::string pattern = testing::TempDir() + "state_store.XXXXXX";
    directory_ = mkdtemp(pattern.data());
    fd_ = open_directory(directory_).value();
  }
  ~StoreTest() override { fs::remove_all(directory_); }

  [[nodiscard]] Expected<StateStore> open(SaveRules rules = {}) const {
    return StateStore::open(directory_, 3, rules);
  }
  void write_file(const std::string& name, const std::string& content) const {
    std::ofstream(directory_ + "/" + name) << content;
  }
  [[nodiscard]] bool exists(const std::string& name) const {
    return fs::exists(directory_ + "/" + name);
  }

  std::string directory_;
  FileDescriptor fd_;
};

bool finish_first_step(StateDocument& document) {
  document.steps[0].status = StepStatus::kDone;
  return true;
}

bool finish_second_step(StateDocument& document) {
  document.steps[1].status = StepStatus::kDone;
  return true;
}

TEST_F(StoreTest, SavesANewStateAtOnce) {
  ASSERT_TRUE(open());
  const auto loaded = load_document(fd_.get());
  ASSERT_TRUE(loaded && *loaded);
  EXPECT_EQ((*loaded)->version, 1);
  EXPECT_EQ((*loaded)->steps.size(), 3U);
}

TEST_F(StoreTest, RefusesAnUnreadableState) {
  write_file("state.json", "{\"task_id\":");
  const auto store = open();
  ASSERT_FALSE(store);
  EXPECT_THAT(store.error().message, testing::HasSubstr("state.json cannot be read"));
}

TEST_F(StoreTest, TakesAnUnreadableStateForNoneWithCorruptIsEmpty) {
  write_file("state.json", "{\"task_id\":\"batch-3\",\"version\":9,\"steps\":{");
  const auto store = open({.mistake = Break::kCorruptIsEmpty});
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ(store->document().find("step-001")->status, StepStatus::kPending);
}

TEST_F(StoreTest, KeepsTheChangesOfBothRunners) {
  auto first = open();
  auto second = open();
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->update(finish_first_step), true);
  EXPECT_EQ(second->update(finish_second_step), true);
  const auto loaded = load_document(fd_.get());
  EXPECT_EQ((*loaded)->steps[0].status, StepStatus::kDone);
  EXPECT_EQ((*loaded)->steps[1].status, StepStatus::kDone);
}

TEST_F(StoreTest, LosesTheFirstChangeWithLostUpdate) {
  auto first = open({.mistake = Break::kLostUpdate});
  auto second = open({.mistake = Break::kLostUpdate});
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->update(finish_first_step), true);
  EXPECT_EQ(second->update(finish_second_step), true);
  const auto loaded = load_document(fd_.get());
  EXPECT_EQ((*loaded)->steps[0].status, StepStatus::kPending);
}

TEST_F(StoreTest, GivesUpAChangeThatNoLongerApplies) {
  auto first = open();
  auto second = open();
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->update(finish_first_step), true);
  const auto changed = second->update(
      [](StateDocument& document) { return document.steps[0].status == StepStatus::kPending; });
  EXPECT_EQ(changed, false);
  EXPECT_EQ(second->document().steps[0].status, StepStatus::kDone) << "it has seen the new state";
}

TEST_F(StoreTest, LiveRunnersHaveDifferentNumbers) {
  const auto first = open();
  const auto second = open();
  ASSERT_TRUE(first && second);
  EXPECT_NE(first->runner(), second->runner());
  EXPECT_TRUE(first->another_runner_lives());
}

TEST_F(StoreTest, ADeadRunnersNumberIsFreeAgain) {
  { ASSERT_TRUE(open()); }
  const auto store = open();
  ASSERT_TRUE(store);
  EXPECT_EQ(store->runner(), 1);
  EXPECT_FALSE(store->another_runner_lives());
}

TEST_F(StoreTest, RemovesTempFilesOfDeadRunnersOnly) {
  const auto live = open();
  { ASSERT_TRUE(open()); }
  ASSERT_TRUE(live);
  for (const char* name : {"state.json.1.tmp", "state.json.2.tmp", "out/step-001.txt.2.tmp"}) {
    write_file(name, "half");
  }
  ASSERT_TRUE(open());
  EXPECT_TRUE(exists("state.json.1.tmp")) << "its runner lives";
  EXPECT_FALSE(exists("state.json.2.tmp"));
  EXPECT_FALSE(exists("out/step-001.txt.2.tmp"));
}

TEST_F(StoreTest, LeavesNoTempFileBehind) {
  auto store = open();
  ASSERT_TRUE(store);
  ASSERT_TRUE(store->save_output("step-001.txt", "text\n"));
  for (const auto& entry : fs::recursive_directory_iterator(directory_)) {
    EXPECT_FALSE(is_temp_name(entry.path().filename().string())) << entry.path();
  }
}

/// From here on fsync fails in this process.
void make_fsync_fail() {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fsync, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EIO),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{std::size(filter), filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    std::exit(2);
  }
}

/// In a process of its own: 0 if a save can be prepared though fsync fails, else 1.
[[noreturn]] void prepare_without_fsync(int directory_fd, Break mistake) {
  make_fsync_fail();
  AtomicSave save(directory_fd, "file", "content", {.mistake = mistake});
  std::exit(save.prepare() ? 0 : 1);
}

TEST_F(StoreTest, AFailedFsyncFailsTheSaveAndLeavesNothing) {
  EXPECT_EXIT(prepare_without_fsync(fd_.get(), Break::kNone), testing::ExitedWithCode(1), "");
  EXPECT_FALSE(exists("file.1.tmp"));
}

TEST_F(StoreTest, AFailedFsyncGoesUnnoticedWithIgnoreFsyncError) {
  EXPECT_EXIT(prepare_without_fsync(fd_.get(), Break::kIgnoreFsyncError),
              testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace scenarios::state_manager
