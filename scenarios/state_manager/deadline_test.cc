#include "scenarios/state_manager/deadline.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace scenarios::state_manager {
namespace {

constexpr int64_t kDelayMs = 20000;
constexpr int64_t kHourMs = 3600000;
// Real time passes during a test.
constexpr int64_t kSlackMs = 5000;

class DeadlineTest : public testing::Test {
 protected:
  [[nodiscard]] int64_t remaining_ms(Deadlines& deadlines, int64_t age_ms) const {
    return deadlines.remaining_ms("step-001", format_time(start_ms_ - age_ms), kDelayMs, kDelayMs);
  }

  SkipClock clock_;
  const int64_t start_ms_ = clock_.now_ms();
};

TEST_F(DeadlineTest, OfTheRecentPastIsNotOver) {
  Deadlines deadlines(clock_, Break::kNone);
  EXPECT_NEAR(remaining_ms(deadlines, 5000), 15000, kSlackMs);
}

TEST_F(DeadlineTest, OfLongAgoIsOver) {
  Deadlines deadlines(clock_, Break::kNone);
  EXPECT_EQ(remaining_ms(deadlines, kHourMs), 0);
}

TEST_F(DeadlineTest, ComesWithTime) {
  Deadlines deadlines(clock_, Break::kNone);
  EXPECT_GT(remaining_ms(deadlines, 0), 0);
  clock_.skip(kDelayMs);
  EXPECT_EQ(remaining_ms(deadlines, 0), 0);
}

TEST_F(DeadlineTest, OfTheFutureLastsNoLongerThanOneOfNow) {
  Deadlines deadlines(clock_, Break::kNone);
  EXPECT_NEAR(remaining_ms(deadlines, -kHourMs), kDelayMs, kSlackMs);
  clock_.skip(kDelayMs);
  EXPECT_EQ(remaining_ms(deadlines, -kHourMs), 0);
}

TEST_F(DeadlineTest, OfTheFutureLastsForHoursWithClockBackwards) {
  Deadlines deadlines(clock_, Break::kClockBackwards);
  EXPECT_GT(remaining_ms(deadlines, -kHourMs), kHourMs);
}

TEST_F(DeadlineTest, IsOverAtOnceWithLocalTimeInTheEast) {
  setenv("TZ", "JST-9", 1);
  tzset();
  Deadlines right(clock_, Break::kNone);
  Deadlines wrong(clock_, Break::kLocalTime);
  EXPECT_GT(remaining_ms(right, 0), 0);
  EXPECT_EQ(remaining_ms(wrong, 0), 0);
  unsetenv("TZ");
  tzset();
}

TEST(FormatTime, IsReadBackAsUtc) {
  EXPECT_EQ(format_time(1795974312007), "2026-11-29T17:45:12.007Z");
  EXPECT_EQ(parse_time("2026-11-29T17:45:12.007Z", TimeZone::kUtc), 1795974312007);
}

TEST(ParseTime, RejectsWhatIsNoTime) {
  for (const char* text : {"", "yesterday", "2026-11-29", "2026-11-29T17:45:12.007"}) {
    EXPECT_FALSE(parse_time(text, TimeZone::kUtc)) << text;
  }
}

TEST(SkipClock, MovesOnWithoutRealTime) {
  SkipClock clock;
  const int64_t before_ms = clock.elapsed_ms();
  clock.skip(kHourMs);
  EXPECT_NEAR(clock.elapsed_ms(), before_ms + kHourMs, kSlackMs);
}

TEST(SkipClock, MayBeOff) {
  EXPECT_NEAR(SkipClock(-kHourMs).now_ms(), SkipClock().now_ms() - kHourMs, kSlackMs);
}

}  // namespace
}  // namespace scenarios::state_manager
