#include "harness/disk/crash_run.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "harness/disk/disk_for_test.h"
#include "harness/model/script.h"

namespace everycrash {
namespace {

const std::vector<std::string> kSaveWithoutSync = {
    "initial F \"x\"", "initial f o*5000", "create t",       "write t 0 n*5000",
    "close t",         "rename t f",       "append F \"y\"", "fsync F",
};

std::set<std::string> trees_of(Disk& disk, const std::vector<std::string>& script) {
  std::set<std::string> trees;
  const Result<Trace> trace = record_script(script);
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

}  // namespace
}  // namespace everycrash
