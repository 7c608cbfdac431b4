#include "harness/disk/disk_file_system.h"

#include <gtest/gtest.h>

namespace everycrash {
namespace {

TEST(DiskFileSystem, knows_the_model_of_its_mount_options) {
  const Result<DiskFileSystem> found = parse_disk_file_system("ext4:noauto_da_alloc");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->type, "ext4");
  EXPECT_EQ(found->mount_options, "noauto_da_alloc");
  ASSERT_NE(found->model, nullptr);
  EXPECT_EQ(found->model->name, "ext4-noauto_da_alloc");
  EXPECT_EQ(found->name(), "ext4:noauto_da_alloc");
}

TEST(DiskFileSystem, takes_the_name_of_a_model) {
  const Result<DiskFileSystem> found = parse_disk_file_system("ext4-writeback");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name(), "ext4:data=writeback");
}

TEST(DiskFileSystem, has_no_model_for_other_options) {
  const Result<DiskFileSystem> found = parse_disk_file_system("ext4:data=journal");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->model, nullptr);
}

TEST(DiskFileSystem, refuses_other_types_with_the_choices) {
  const Result<DiskFileSystem> found = parse_disk_file_system("posix");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, ErrorKind::kUsage);
  EXPECT_NE(found.error().message.find("btrfs"), std::string::npos);
}

TEST(DiskFileSystem, passes_arguments_to_mkfs) {
  const std::vector<std::string> command =
      mkfs_command(*parse_disk_file_system("xfs"), "-m reflink=0", "/dev/loop9");
  EXPECT_EQ(command.front(), "mkfs.xfs");
  EXPECT_EQ(command[command.size() - 2], "reflink=0");
  EXPECT_EQ(command.back(), "/dev/loop9");
}

}  // namespace
}  // namespace everycrash
