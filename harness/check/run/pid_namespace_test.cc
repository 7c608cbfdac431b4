#include "harness/check/run/pid_namespace.h"

#include <gtest/gtest.h>

#include "harness/trace/recording_for_test.h"

namespace everycrash {
namespace {

constexpr uint64_t kLock = 10;

TEST(PidNamespace, is_found_in_what_a_lock_points_to) {
  Recording recording;
  recording.add(Kind::kSymlink, "store/lock", "", kLock, "host/effffffc:4711");
  EXPECT_EQ(who_names_pid_namespace(recording.finish()), "store/lock");
}

TEST(PidNamespace, is_found_in_what_a_lock_holds) {
  Recording recording;
  recording.create("lock", kLock).write("lock", kLock, 0, "pid:[4026531836] 4711\n");
  EXPECT_EQ(who_names_pid_namespace(recording.finish()), "lock");
}

TEST(PidNamespace, is_not_in_other_numbers) {
  Recording recording;
  recording.create("lock", kLock).write("lock", kLock, 0, "4711\n");
  EXPECT_EQ(who_names_pid_namespace(recording.finish()), "");
}

}  // namespace
}  // namespace everycrash
