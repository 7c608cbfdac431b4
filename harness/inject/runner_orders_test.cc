#include "harness/inject/runner_orders.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "harness/trace/recording_for_test.h"

namespace everycrash {
namespace {

using testing::IsEmpty;

constexpr uint64_t kAll = RunnerGroup::kAll;

/// Takes a lock, replaces the file, and gives the lock back: six steps.
void run_once(Recording& recording, uint32_t runner) {
  const uint64_t inode = 10 * (runner + 1);
  recording.as_runner(runner)
      .open("app.lock", inode, O_CREAT | O_EXCL, format::kCreated)
      .create(runner == 0 ? "0.tmp" : "1.tmp", inode + 1)
      .write(runner == 0 ? "0.tmp" : "1.tmp", inode + 1, 0, "new")
      .rename(runner == 0 ? "0.tmp" : "1.tmp", "state", inode + 1)
      .unlink("app.lock", inode)
      .print("done");
}

SerialSteps steps_of_two() {
  Recording recording;
  run_once(recording, 0);
  run_once(recording, 1);
  const Trace trace = recording.finish();
  TemporaryNames temporary;
  temporary.add("app.lock", {});
  return find_steps(trace, temporary);
}

/// A run of COUNT operations none of which the other knows.
SerialSteps unrelated_steps(size_t count) {
  SerialSteps steps;
  for (auto& of : steps.of) of.resize(count);
  return steps;
}

TEST(SerialSteps, know_what_both_change_and_who_holds_a_lock) {
  const SerialSteps steps = steps_of_two();
  ASSERT_EQ(steps.count(0), 6u);
  const auto& first = steps.of[0];
  EXPECT_EQ(first[0].about, Contended::kLock);
  EXPECT_EQ(first[1].about, Contended::kNo);
  EXPECT_EQ(first[3].about, Contended::kFile);
  EXPECT_EQ(first[4].about, Contended::kLock);
  EXPECT_FALSE(first[0].holds_lock);
  EXPECT_TRUE(first[1].holds_lock);
  EXPECT_TRUE(first[4].holds_lock);
  EXPECT_FALSE(first[5].holds_lock);
}

TEST(OrdersWithOne, stand_before_each_operation_and_are_killed_behind_the_first) {
  const std::vector<TurnSchedule> orders = orders_with_one(unrelated_steps(3));
  ASSERT_EQ(orders.size(), 5u);
  EXPECT_EQ(orders[1], (TurnSchedule{.turns = {{0, 1}, {1, kAll}}}));
  EXPECT_EQ(orders[3], (TurnSchedule{.turns = {{0, 1}, {1, kAll}, {0, kAll}}, .kill_first = true}));
}

TEST(LikeliestOrders, are_all_of_them_each_once) {
  const SerialSteps steps = steps_of_two();
  const std::vector<TurnSchedule> orders = likeliest_orders(steps, {.one = true, .two = true});
  EXPECT_EQ(orders.size(), orders_with_one(steps).size() + count_orders_with_two(steps));
  EXPECT_EQ(std::set(orders.begin(), orders.end()).size(), orders.size());
}

TEST(LikeliestOrders, begin_where_one_meets_the_lock_that_the_other_holds) {
  const SerialSteps steps = steps_of_two();
  const TurnSchedule first = likeliest_orders(steps, {.two = true, .most = 1}).front();
  EXPECT_EQ(steps.of[0][first.turns[0].until].about, Contended::kLock);
  EXPECT_TRUE(steps.of[1][first.turns[1].until].holds_lock);
}

TEST(LikeliestOrders, depend_on_the_seed_alone) {
  const SerialSteps steps = unrelated_steps(20);
  const auto sample = [&](uint64_t seed) {
    return likeliest_orders(steps, {.two = true, .seed = seed, .most = 10});
  };
  EXPECT_EQ(sample(1), sample(1));
  EXPECT_NE(sample(1), sample(2));
}

TEST(LikeliestOrders, are_drawn_where_a_run_is_too_long_for_all_of_them) {
  const SerialSteps steps = unrelated_steps(20000);
  const std::vector<TurnSchedule> orders = likeliest_orders(steps, {.two = true, .most = 1000});
  EXPECT_EQ(orders.size(), 1000u);
  EXPECT_EQ(std::set(orders.begin(), orders.end()).size(), 1000u);
  EXPECT_EQ(count_orders_with_two(steps), 20000u * 19999u);
}

TEST(LikeliestOrders, with_two_preemptions_need_a_second_operation) {
  EXPECT_THAT(likeliest_orders(unrelated_steps(1), {.two = true}), IsEmpty());
  EXPECT_THAT(likeliest_orders(unrelated_steps(0), {.one = true, .two = true}), IsEmpty());
  EXPECT_EQ(count_orders_with_two(unrelated_steps(1)), 0u);
}

}  // namespace
}  // namespace everycrash
