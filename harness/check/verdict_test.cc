#include "harness/check/verdict.h"

#include <gtest/gtest.h>

namespace everycrash {
namespace {

TEST(Verdict, is_found_by_its_name_as_are_judges_and_what_is_wrong) {
  EXPECT_EQ(verdict_named(name_of(Verdict::kViolated)), Verdict::kViolated);
  EXPECT_EQ(judge_named(name_of(Judge::kSerial)), Judge::kSerial);
  for (int i = 0; i <= static_cast<int>(Wrong::kFlaky); ++i) {
    const auto wrong = static_cast<Wrong>(i);
    EXPECT_EQ(wrong_named(name_of(wrong)), wrong) << name_of(wrong);
  }
}

TEST(Verdict, has_no_other_names) {
  EXPECT_FALSE(verdict_named("good"));
  EXPECT_FALSE(judge_named("good"));
  EXPECT_FALSE(wrong_named("good"));
}

}  // namespace
}  // namespace everycrash
