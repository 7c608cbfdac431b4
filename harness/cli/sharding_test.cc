#include "harness/cli/sharding.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace everycrash::cli {
namespace {

TEST(Sharding, the_whole_has_no_number) {
  EXPECT_EQ(shard_text({0, 1}), "");
  EXPECT_EQ(shard_text({1, 3}), "2/3");
}

TEST(Sharding, bounds_come_back_into_options) {
  TestOptions options;
  options.depth = 3;
  options.tear = 512;
  options.states_max = 100;
  options.lost_fsync = "one";
  options.strict = true;
  TestOptions again;
  apply_bounds(bounds_of(options), again);
  EXPECT_EQ(bounds_of(again), bounds_of(options));
}

TEST(Sharding, the_command_leaves_out_what_changes_no_result) {
  EXPECT_EQ(repeatable_command({"/x/everycrash", "explore", "a trace", "--shard", "1/3", "--jobs=2",
                                "--json", "out.json", "-q", "--crash", "power"}),
            "everycrash explore 'a trace' --crash power");
}

TEST(Sharding, the_command_keeps_all_of_the_workload) {
  EXPECT_EQ(repeatable_command({"everycrash", "test", "--jobs", "1", "--", "./app", "--jobs", "7"}),
            "everycrash test -- ./app --jobs 7");
}

TEST(Sharding, a_test_runner_is_told) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("sharding-" + std::to_string(getpid()));
  setenv("TEST_SHARD_STATUS_FILE", file.c_str(), 1);
  EXPECT_TRUE(announce_sharding());
  unsetenv("TEST_SHARD_STATUS_FILE");
  EXPECT_TRUE(std::filesystem::remove(file));
}

}  // namespace
}  // namespace everycrash::cli
