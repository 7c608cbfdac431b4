#include "harness/campaign/lent_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace everycrash {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

const Complaint kFailed{.judge = Judge::kChecker, .message = "exit status 1"};

TEST(Flaky, what_fails_twice_is_held_against_the_state) {
  const std::vector<Complaint> said = without_flaky({kFailed}, {kFailed});
  ASSERT_THAT(said, SizeIs(1));
  EXPECT_EQ(said[0].verdict, Verdict::kViolated);
  EXPECT_EQ(said[0].message, "exit status 1");
}

TEST(Flaky, what_passes_the_second_time_is_not_measured_and_said) {
  const std::vector<Complaint> said = without_flaky({kFailed}, {});
  ASSERT_THAT(said, SizeIs(1));
  EXPECT_EQ(said[0].verdict, Verdict::kNotMeasured);
  EXPECT_THAT(said[0].message, HasSubstr("the checker is flaky"));
}

TEST(Flaky, another_judge_does_not_stand_in) {
  const Complaint other{.judge = Judge::kRecovery, .message = "exit status 2"};
  const std::vector<Complaint> said = without_flaky({kFailed, other}, {other});
  EXPECT_EQ(said[0].verdict, Verdict::kNotMeasured);
  EXPECT_EQ(said[1].verdict, Verdict::kViolated);
}

}  // namespace
}  // namespace everycrash
