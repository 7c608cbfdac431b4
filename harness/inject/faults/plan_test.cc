// Plans of faults: their text, and which calls they name.
#include "harness/inject/faults/plan.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace everycrash::faults {
namespace {

using format::Kind;

Plan plan_for(const char* glob) {
  Plan plan;
  EXPECT_TRUE(add_fault(plan, Point::kSyncLost, glob));
  return plan;
}

bool loses(const char* glob, Kind kind, std::string_view path) {
  return point_of(plan_for(glob), kind, path.data(), path.size()) == Point::kSyncLost;
}

std::string text_of(const Plan& plan) {
  char text[4096];
  const size_t size = write_plan(plan, text, sizeof text);
  return {text, size};
}

TEST(FaultPlan, is_written_as_people_read_it) {
  EXPECT_EQ(text_of(plan_for("state.json*")), "sync/lost path=state.json*\n");
}

TEST(FaultPlan, comes_back_from_its_text) {
  Plan plan = plan_for("with blank,\n100% [a-z]?=\xc3\xa4");
  ASSERT_TRUE(add_fault(plan, Point::kSyncLost, "*"));
  ASSERT_TRUE(set_fifo(plan, "/tmp/a b"));
  Plan again;
  ASSERT_EQ(parse_plan(text_of(plan).c_str(), again), nullptr);
  ASSERT_EQ(again.count, 2U);
  EXPECT_STREQ(again.faults[0].path, plan.faults[0].path);
  EXPECT_STREQ(again.faults[1].path, "*");
  EXPECT_STREQ(again.fifo, "/tmp/a b");
  EXPECT_EQ(text_of(again), text_of(plan));
}

TEST(FaultPlan, says_what_is_wrong_with_a_text) {
  for (const char* text : {"sync/gone path=a", "sync/lost", "sync/lost path=a nth=2",
                           "sync/lost path=%2", "sync/lost path=%00", "control path=a"}) {
    Plan plan;
    EXPECT_NE(parse_plan(text, plan), nullptr) << text;
  }
}

TEST(FaultPlan, that_is_too_long_is_not_cut) {
  Plan plan;
  EXPECT_FALSE(add_fault(plan, Point::kSyncLost, std::string(2000, 'x').c_str()));
  char text[8];
  EXPECT_EQ(write_plan(plan_for("state"), text, sizeof text), 0U);
}

TEST(FaultPlan, names_syncs_by_their_file) {
  EXPECT_TRUE(loses("state.json*", Kind::kFileSync, "state.json.tmp"));
  EXPECT_TRUE(loses("state.json*", Kind::kDataSync, "deep/state.json"));
  EXPECT_FALSE(loses("state.json*", Kind::kFileSync, "other"));
  EXPECT_FALSE(loses("state.json*", Kind::kFileSync, ""));
  EXPECT_TRUE(loses(".", Kind::kFileSync, ""));
  EXPECT_TRUE(loses("*", Kind::kFileSync, ""));
}

TEST(FaultPlan, names_syncs_of_everything_by_a_star_alone) {
  EXPECT_TRUE(loses("*", Kind::kSyncAll, ""));
  EXPECT_FALSE(loses(".*", Kind::kSyncFileSystem, ""));
}

TEST(FaultPlan, leaves_other_calls_alone) {
  EXPECT_FALSE(loses("*", Kind::kWrite, "state.json"));
}

TEST(Glob, knows_stars_sets_and_single_bytes) {
  const auto matches = [](const char* glob, std::string_view path) {
    return matches_glob(glob, path.data(), path.size());
  };
  EXPECT_TRUE(matches("a*c*e", "abcde"));
  EXPECT_FALSE(matches("a*c*e", "abcd"));
  EXPECT_TRUE(matches("sub/*", "sub/deeper/file"));
  EXPECT_FALSE(matches("sub/*", "other/sub/file"));
  EXPECT_TRUE(matches("log.[0-9]?", "log.17"));
  EXPECT_FALSE(matches("log.[!0-9]", "log.1"));
  EXPECT_TRUE(matches("odd[name", "odd[name"));
}

}  // namespace
}  // namespace everycrash::faults
