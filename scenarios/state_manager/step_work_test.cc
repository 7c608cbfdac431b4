#include "scenarios/state_manager/step_work.h"

#include <gtest/gtest.h>

#include "scenarios/state_manager/state_document.h"

namespace scenarios::state_manager {
namespace {

int failing_attempts(const std::string& step, const WorkOptions& options) {
  int attempt = 0;
  while (attempt <= kMaxRetries && !do_work(step, attempt, options)) ++attempt;
  return attempt;
}

TEST(Work, MostStepsSucceedAtOnceAndSomeOnlyWhenRetried) {
  int retried = 0;
  for (int number = 1; number <= 100; ++number) {
    const int failing = failing_attempts(step_name(number), {});
    EXPECT_LE(failing, kMaxRetries) << step_name(number);
    retried += failing > 0 ? 1 : 0;
  }
  EXPECT_GE(retried, 3);
  EXPECT_LE(retried, 20);
}

TEST(Work, FailsInTheSameStepsEachTime) {
  for (int number = 1; number <= 100; ++number) {
    EXPECT_EQ(failing_attempts(step_name(number), {}), failing_attempts(step_name(number), {}));
  }
}

TEST(Work, OfAPoisonedStepNeverSucceeds) {
  const auto worked = do_work("step-001", 1000, {.poisoned = "step-001"});
  ASSERT_FALSE(worked);
  EXPECT_TRUE(worked.error().heals);
}

TEST(Work, OnBadInputCannotHeal) {
  const auto worked = do_work("step-001", 0, {.bad_input = "step-001"});
  ASSERT_FALSE(worked);
  EXPECT_FALSE(worked.error().heals);
}

TEST(Work, MakesSomeOutputsLongerThanAPage) {
  int longer = 0;
  for (int number = 1; number <= 100; ++number) {
    longer += output_text(step_name(number)).size() > 4096 ? 1 : 0;
  }
  EXPECT_GT(longer, 3);
  EXPECT_LT(longer, 30);
}

TEST(Backoff, DoublesUpToItsLongestAndHasJitter) {
  for (int attempt = 0; attempt < 40; ++attempt) {
    const int64_t base_ms = attempt < 5 ? kShortestBackoffMs << attempt : kLongestBackoffMs;
    const int64_t delay_ms = backoff_ms("step-001", attempt, 1);
    EXPECT_GE(delay_ms, base_ms) << attempt;
    EXPECT_LT(delay_ms, base_ms + kJitterMs) << attempt;
  }
  EXPECT_NE(backoff_ms("step-001", 0, 1), backoff_ms("step-002", 0, 1));
}

}  // namespace
}  // namespace scenarios::state_manager
