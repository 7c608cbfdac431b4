#include "harness/explore/kill_states.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/explore/state_builder.h"
#include "harness/trace/recording_for_test.h"

namespace everycrash {
namespace {

std::string content_of(const Trace& trace, CrashPoint point, std::string_view path) {
  Result<StateBuilder> builder = StateBuilder::create(trace);
  EXPECT_TRUE(builder->move_to(point).has_value());
  const NodeId node = builder->tree().find(path);
  return node == kNoNode ? "(absent)" : builder->tree().content(node);
}

TEST(KillStates, one_state_between_each_two_changes) {
  Recording recording;
  recording.create("a", 1).write("a", 1, 0, "x").fsync("a", 1).rename("a", "b", 1);
  const Trace trace = recording.finish();
  const Result<KillStates> kills = KillStates::enumerate(trace, {});
  ASSERT_TRUE(kills);
  // Nothing, created, written, renamed. The fsync changes nothing that a killed process leaves.
  EXPECT_EQ(kills->points().size(), 4u);
  EXPECT_EQ(kills->states().size(), 4u);
}

TEST(KillStates, a_write_is_cut_at_page_boundaries_of_the_file) {
  Recording recording;
  recording.create("a", 1).write("a", 1, 0, "head").write("a", 1, 4, std::string(9000, 'x'));
  const Trace trace = recording.finish();
  const Result<KillStates> kills = KillStates::enumerate(trace, {});
  std::vector<CrashPoint> cuts;
  for (const auto& point : kills->points()) {
    if (!point.point.whole()) cuts.push_back(point.point);
  }
  EXPECT_THAT(cuts, testing::ElementsAre(CrashPoint{3, 4092}, CrashPoint{3, 8188}));
  EXPECT_EQ(content_of(trace, cuts[0], "a").size(), 4096u);
  EXPECT_EQ(content_of(trace, {3, -1}, "a").size(), 9004u);
}

TEST(KillStates, an_equal_state_is_kept_once_at_its_last_point) {
  Recording recording;
  recording.create("a", 1).print("one\n").unlink("a", 1).create("a", 2).print("two\n");
  const Trace trace = recording.finish();
  const Result<KillStates> kills = KillStates::enumerate(trace, {});
  ASSERT_EQ(kills->states().size(), 2u) << "without a, with a";
  EXPECT_EQ(kills->states()[0].point, (CrashPoint{3, -1}));
  EXPECT_EQ(kills->states()[1].point, (CrashPoint{5, -1}));
  EXPECT_EQ(kills->states()[1].points, 4u);
}

TEST(KillStates, all_points_keeps_equal_states_apart) {
  Recording recording;
  recording.create("a", 1).print("one\n").print("two\n");
  const Trace trace = recording.finish();
  EXPECT_EQ(KillStates::enumerate(trace, {.all_points = true})->states().size(), 4u);
}

TEST(KillStates, an_effect_separates_states_with_equal_trees) {
  Recording recording;
  recording.create("a", 1).event("step sending").event("effect mail m1");
  const Trace trace = recording.finish();
  // Before the file; with the file before the mail; with the file after the mail.
  EXPECT_EQ(KillStates::enumerate(trace, {})->states().size(), 3u);
}

TEST(KillStates, pages_that_one_look_finds_changed_come_in_one_step) {
  Recording recording;
  recording.create("a", 1).write("a", 1, 0, std::string(4097, '-'));
  recording.map_write("a", 1, 0, "x").map_write("a", 1, 4096, "x").fsync("a", 1);
  recording.map_write("a", 1, 0, "y");
  const Trace trace = recording.finish();
  const Result<KillStates> kills = KillStates::enumerate(trace, {.all_points = true});
  ASSERT_TRUE(kills);
  std::vector<CrashPoint> points;
  for (const auto& point : kills->points()) points.push_back(point.point);
  EXPECT_THAT(points,
              testing::ElementsAre(CrashPoint{0, -1}, CrashPoint{1, -1}, CrashPoint{2, 4096},
                                   CrashPoint{2, -1}, CrashPoint{4, -1}, CrashPoint{6, -1}));
  EXPECT_THAT(kills->changed_at_once(), testing::ElementsAre("a"));
}

TEST(StateBuilder, goes_forward_and_back) {
  Recording recording;
  recording.create("a", 1).write("a", 1, 0, std::string(5000, 'x')).print("done\n").unlink("a", 1);
  const Trace trace = recording.finish();
  Result<StateBuilder> builder = StateBuilder::create(trace);
  ASSERT_TRUE(builder);
  ASSERT_TRUE(builder->move_to({2, 4096}));
  EXPECT_EQ(builder->tree().content(builder->tree().find("a")).size(), 4096u);
  ASSERT_TRUE(builder->move_to({3, -1}));
  EXPECT_EQ(builder->printed(), "done\n");
  ASSERT_TRUE(builder->move_to({4, -1}));
  EXPECT_EQ(builder->tree().find("a"), kNoNode);
  ASSERT_TRUE(builder->move_to({1, -1}));
  EXPECT_EQ(builder->tree().content(builder->tree().find("a")), "");
  EXPECT_EQ(builder->printed(), "");
}

}  // namespace
}  // namespace everycrash
