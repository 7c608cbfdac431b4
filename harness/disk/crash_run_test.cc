#include "harness/disk/crash_run.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "harness/disk/disk_for_test.h"
#include "harness/disk/programs.h"
#include "harness/model/tree_text.h"
#include "harness/trace/workload_text.h"

namespace everycrash {
namespace {

const std::vector<std::string> kSaveWithoutSync = {
    "initial F \"x\"", "initial f o*5000", "create t",       "write t 0 n*5000",
    "close t",         "rename t f",       "append F \"y\"", "fsync F",
};

std::set<std::string> trees_of(Disk& disk, const std::vector<std::string>& script) {
  std::set<std::string> trees;
  const Result<Trace> trace = record_text(script);
  EXPECT_TRUE(trace);
  Result<CrashRun> run = CrashRun::replay(disk, *trace, {}, {});
  EXPECT_TRUE(run) << run.error().message;
  if (!run) return trees;
  for (const RealState& state : run->states()) {
    const Result<RealTree> tree = run->look(state);
    EXPECT_TRUE(tree) << tree.error().message;
    if (tree) trees.insert(tree->tree ? tree_text(*tree->tree) : tree->mount_error);
  }
  return trees;
}

constexpr const char* kEmpty = "F=\"xy\" f=\"\"";
constexpr const char* kNew = "F=\"xy\" f=[n*5000]";

TEST(CrashRun, finds_the_save_without_fsync_whole_on_ext4) {
  TestDisk disk("ext4");
  if (!disk) GTEST_SKIP() << disk.why();
  const std::set<std::string> trees = trees_of(*disk, kSaveWithoutSync);
  EXPECT_EQ(trees.count(kNew), 1U);
  EXPECT_EQ(trees.count(kEmpty), 0U) << testing::PrintToString(trees);
}

TEST(CrashRun, finds_the_save_without_fsync_empty_where_ext4_does_not_help) {
  TestDisk disk("ext4:noauto_da_alloc");
  if (!disk) GTEST_SKIP() << disk.why();
  EXPECT_EQ(trees_of(*disk, kSaveWithoutSync).count(kEmpty), 1U);
}

TEST(CrashRun, finds_the_save_without_fsync_empty_on_xfs) {
  TestDisk disk("xfs");
  if (!disk) GTEST_SKIP() << disk.why();
  EXPECT_EQ(trees_of(*disk, kSaveWithoutSync).count(kEmpty), 1U);
}

TEST(CrashRun, finds_the_save_without_fsync_old_or_new_on_btrfs) {
  TestDisk disk("btrfs");
  if (!disk) GTEST_SKIP() << disk.why();
  const std::set<std::string> trees = trees_of(*disk, kSaveWithoutSync);
  EXPECT_EQ(trees.count("F=\"xy\" f=[o*5000]"), 1U) << testing::PrintToString(trees);
  EXPECT_EQ(trees.count(kEmpty), 0U) << testing::PrintToString(trees);
}

/// A new name, where the heuristic that looks after replaced files does not help.
TEST(CrashRun, finds_a_file_created_by_rename_empty_on_ext4) {
  TestDisk disk("ext4");
  if (!disk) GTEST_SKIP() << disk.why();
  const std::set<std::string> trees =
      trees_of(*disk, {"initial F \"x\"", "create t", "write t 0 n*5000", "close t", "rename t f",
                       "append F \"y\"", "fsync F"});
  EXPECT_EQ(trees.count(kEmpty), 1U) << testing::PrintToString(trees);
}

TEST(CrashRun, flushes_count_for_nothing_on_a_disk_that_lies) {
  TestDisk disk("ext4");
  if (!disk) GTEST_SKIP() << disk.why();
  const Result<Trace> trace = record_text({"create f", "write f 0 n*5000", "fsync f", "fsync ."});
  ASSERT_TRUE(trace);
  const auto without_file_at_the_end = [&](bool lost_flushes) {
    Result<CrashRun> run = CrashRun::replay(*disk, *trace, {}, {.lost_flushes = lost_flushes});
    EXPECT_TRUE(run) << run.error().message;
    for (const RealState& state : run->states()) {
      if (state.point < trace->records().back().sequence) continue;
      const Result<RealTree> real = run->look(state);
      EXPECT_TRUE(real) << real.error().message;
      if (real && real->tree && tree_text(*real->tree) == "(empty)") return true;
    }
    return false;
  };
  EXPECT_FALSE(without_file_at_the_end(false));
  EXPECT_TRUE(without_file_at_the_end(true));
}

TEST(Disk, holds_nothing_but_an_image_that_was_loaded) {
  TestDisk disk("ext4");
  if (!disk) GTEST_SKIP() << disk.why();
  const std::filesystem::path before = disk.folder() / "before", after = disk.folder() / "after";
  ASSERT_TRUE(disk->client().save(before));
  ASSERT_TRUE(disk->mount());
  std::ofstream(disk->state_directory() / "file") << "content";
  ASSERT_TRUE(disk->unmount());
  ASSERT_TRUE(disk->client().load(before));
  ASSERT_TRUE(disk->client().save(after));
  const Status same = run_program({"cmp", before, after}, std::chrono::minutes(1));
  EXPECT_TRUE(same) << same.error().message;
  std::filesystem::remove(before);
  std::filesystem::remove(after);
}

}  // namespace
}  // namespace everycrash
