#include "harness/check/examination.h"

#include <gtest/gtest.h>

namespace everycrash {
namespace {

class NumberMaker : public StateMaker {
 public:
  Result<StateView> make(size_t number) override {
    text_ = std::to_string(number);
    return StateView{.printed = text_};
  }

 private:
  std::string text_;
};

/// Rejects every third state; breaks at a chosen one.
class ThirdIsBad : public StateJudgement {
 public:
  explicit ThirdIsBad(size_t broken) : broken_(broken) {}
  Result<std::vector<Complaint>> judge(const StateView& state) override {
    const size_t number = std::stoul(std::string(state.printed));
    if (number >= broken_) return harness_error("broken at " + std::to_string(number));
    if (number % 3 == 0) return std::vector<Complaint>{{.message = "third"}};
    return std::vector<Complaint>{};
  }

 private:
  size_t broken_;
};

std::vector<Worker> workers(size_t count, size_t broken = SIZE_MAX) {
  std::vector<Worker> all;
  for (size_t i = 0; i < count; ++i) {
    all.push_back({std::make_unique<NumberMaker>(), std::make_unique<ThirdIsBad>(broken)});
  }
  return all;
}

TEST(Examine, judges_every_state_whatever_the_number_of_workers) {
  for (const size_t count : {1u, 2u, 7u}) {
    std::vector<Worker> team = workers(count);
    const Result<Examined> examined = examine(100, team, {});
    ASSERT_TRUE(examined);
    EXPECT_EQ(examined->count_judged(), 100u);
    for (size_t i = 0; i < 100; ++i) {
      EXPECT_EQ(examined->verdict(i), i % 3 == 0 ? Verdict::kViolated : Verdict::kSurvived);
    }
  }
}

TEST(Examine, reports_the_error_of_the_first_state_in_order) {
  std::vector<Worker> team = workers(4, 20);
  const Result<Examined> examined = examine(100, team, {});
  ASSERT_FALSE(examined);
  EXPECT_EQ(examined.error().message, "broken at 20");
}

TEST(Examine, states_behind_the_deadline_are_not_measured) {
  std::vector<Worker> team = workers(2);
  const Result<Examined> examined =
      examine(10, team, {.deadline = std::chrono::steady_clock::now()});
  ASSERT_TRUE(examined);
  EXPECT_EQ(examined->count_judged(), 0u);
  EXPECT_EQ(examined->verdict(3), Verdict::kNotMeasured);
}

TEST(Examine, stops_when_interrupted) {
  std::atomic<bool> interrupted = true;
  std::vector<Worker> team = workers(1);
  EXPECT_EQ(examine(10, team, {.interrupted = &interrupted})->count_judged(), 0u);
}

}  // namespace
}  // namespace everycrash
