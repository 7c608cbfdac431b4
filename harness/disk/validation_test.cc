#include "harness/disk/validation.h"

#include <gtest/gtest.h>

#include "harness/disk/disk_for_test.h"

namespace everycrash {
namespace {

const Litmus kSave = {
    "save without fsync",
    {"initial f o*5000", "create t", "write t 0 n*5000", "close t", "rename t f"}};

TEST(Validation, finds_a_file_system_within_its_model) {
  TestDisk disk("ext4");
  if (!disk) GTEST_SKIP() << disk.why();
  const Result<Agreement> agreement = validate_workload(*disk, kSave, {.schedules = 2});
  ASSERT_TRUE(agreement) << agreement.error().message;
  EXPECT_TRUE(agreement->disagreements.empty());
  EXPECT_GT(agreement->model_seen, 1U);
}

TEST(Validation, finds_a_file_system_outside_of_a_model_that_promises_too_much) {
  const Result<DiskFileSystem> stricter = parse_disk_file_system("ext4");
  ASSERT_TRUE(stricter);
  TestDisk disk("ext4:noauto_da_alloc", 320, stricter->model);
  if (!disk) GTEST_SKIP() << disk.why();
  const Result<Agreement> agreement = validate_workload(*disk, kSave, {.images_max = 100});
  ASSERT_TRUE(agreement) << agreement.error().message;
  EXPECT_FALSE(agreement->disagreements.empty());
}

TEST(Validation, counts_what_a_file_system_does_not_have) {
  TestDisk disk("btrfs");
  if (!disk) GTEST_SKIP() << disk.why();
  const Litmus collapse = {"collapse", {"initial f o*8192", "fallocate f collapse 0 4096"}};
  const Result<Agreement> agreement = validate_workload(*disk, collapse, {});
  ASSERT_TRUE(agreement) << agreement.error().message;
  EXPECT_EQ(agreement->impossible, 1U);
}

}  // namespace
}  // namespace everycrash
