#include "scenarios/state_manager/job_options.h"

#include <gtest/gtest.h>

namespace scenarios::state_manager {
namespace {

using Arguments = std::vector<std::string>;

TEST(JobOptions, AreThoseOfTheReferenceByDefault) {
  const auto options = parse_options("state_manager", add_options, {});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->steps, 100);
  EXPECT_EQ(options->mistake, Break::kNone);
}

TEST(JobOptions, ReachTheRestartedJob) {
  const Arguments given = {"--steps",      "7",          "--break",        "no-fsync",
                           "--seed",       "5",          "--poison",       "step-001",
                           "--bad-input",  "step-002",   "--clock-offset", "-60",
                           "--start-time", "1800000000", "--mark-calls"};
  const auto options = parse_options("state_manager", add_options, given);
  ASSERT_TRUE(options) << options.error().message;
  const auto again =
      parse_options("state_manager", add_options, to_arguments(add_options, *options));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->steps, 7);
  EXPECT_EQ(again->mistake, Break::kNoFsync);
  EXPECT_EQ(again->work.seed, 5U);
  EXPECT_EQ(again->work.poisoned, "step-001");
  EXPECT_EQ(again->work.bad_input, "step-002");
  EXPECT_EQ(again->clock_offset_s, -60);
  EXPECT_EQ(again->start_time_s, 1800000000);
  EXPECT_TRUE(again->mark_calls);
}

TEST(JobOptions, RejectWrongOnes) {
  const std::vector<Arguments> wrong = {{"--steps"},        {"--steps", "0"}, {"--steps", "7x"},
                                        {"--seed", "-1"},   {"--bogus", "1"}, {"--break", "bogus"},
                                        {"--steps", "1e3"}, {"--limit", "0"}};
  for (const Arguments& arguments : wrong) {
    EXPECT_FALSE(parse_options("state_manager", add_options, arguments)) << arguments.front();
  }
}

}  // namespace
}  // namespace scenarios::state_manager
