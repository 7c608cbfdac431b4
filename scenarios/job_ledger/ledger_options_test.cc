#include <gtest/gtest.h>

#include "scenarios/job_ledger/job_options.h"

namespace scenarios::job_ledger {
namespace {

using Arguments = std::vector<std::string>;

TEST(JobOptions, AreThoseOfTheReferenceByDefault) {
  const auto options = parse_options("job_ledger", add_options, {});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->days, 5);
  EXPECT_EQ(options->mistake, Break::kNone);
}

TEST(JobOptions, ReachTheRestartedJob) {
  const Arguments given = {"--days", "7", "--break", "pid-only", "--clock-offset", "-60"};
  const auto options = parse_options("job_ledger", add_options, given);
  ASSERT_TRUE(options) << options.error().message;
  const auto again = parse_options("job_ledger", add_options, to_arguments(add_options, *options));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->days, 7);
  EXPECT_EQ(again->mistake, Break::kPidOnly);
  EXPECT_EQ(again->clock_offset_s, -60);
}

TEST(JobOptions, RejectWrongOnes) {
  const std::vector<Arguments> wrong = {{"--days"},       {"--days", "0"},      {"--days", "7x"},
                                        {"--bogus", "1"}, {"--break", "bogus"}, {"--limit", "0"}};
  for (const Arguments& arguments : wrong) {
    EXPECT_FALSE(parse_options("job_ledger", add_options, arguments)) << arguments.front();
  }
}

}  // namespace
}  // namespace scenarios::job_ledger
