#include "harness/disk/schedule.h"

#include <gtest/gtest.h>

#include <set>

#include "harness/trace/workload_text.h"

namespace everycrash {
namespace {

Result<Trace> save() {
  return record_text({"create t", "write t 0 \"new\"", "close t", "rename t f"});
}

TEST(Schedules, begin_with_nothing_in_the_background) {
  const Result<Trace> trace = save();
  ASSERT_TRUE(trace);
  EXPECT_TRUE(schedules_for(*trace, 4, 1).front().events.empty());
}

TEST(Schedules, are_all_different) {
  const Result<Trace> trace = save();
  ASSERT_TRUE(trace);
  std::set<std::string> texts;
  const std::vector<Schedule> schedules = schedules_for(*trace, 30, 1);
  for (const Schedule& schedule : schedules) texts.insert(schedule.describe(*trace));
  EXPECT_EQ(schedules.size(), 30U);
  EXPECT_EQ(texts.size(), 30U);
}

TEST(Schedules, come_again_with_their_seed) {
  const Result<Trace> trace = save();
  ASSERT_TRUE(trace);
  const std::vector<Schedule> once = schedules_for(*trace, 40, 7),
                              again = schedules_for(*trace, 40, 7);
  for (size_t i = 0; i < once.size(); ++i) {
    EXPECT_EQ(once[i].describe(*trace), again[i].describe(*trace));
  }
}

}  // namespace
}  // namespace everycrash
