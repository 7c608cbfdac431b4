#include "harness/cli/status.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace everycrash::cli {
namespace {

using std::chrono::seconds;
using testing::MatchesRegex;
using testing::StartsWith;

/// Progress that goes nowhere.
class Status : public testing::Test {
 protected:
  void tell(uint64_t done, uint64_t violated) { tell_progress(nowhere_, done, violated); }
  reports::Terminal nowhere_{open("/dev/null", O_WRONLY | O_CLOEXEC),
                             reports::ColourChoice::kNever};
};

TEST_F(Status, tells_rate_and_time_left) {
  begin_states("kill", 1000, std::nullopt);
  tell(500, 2);
  EXPECT_THAT(
      status_text(StatusClock::now() + seconds(10)),
      MatchesRegex("kill: 500 of 1,000 states, 2 violated, (49|50) states/s, about 10 s left"));
}

TEST_F(Status, takes_the_budget_for_an_end) {
  begin_states("power, ext4", 0, StatusClock::now() + seconds(60));
  tell(100, 0);
  EXPECT_THAT(status_text(StatusClock::now() + seconds(50)),
              MatchesRegex("power, ext4: 100 states, (1.9|2.0) states/s, about (9|10) s left"));
}

TEST_F(Status, goes_on_with_a_phase_that_comes_in_portions) {
  begin_states("power, xfs", 0, std::nullopt);
  tell(300, 0);
  begin_states("power, xfs", 0, std::nullopt);
  EXPECT_THAT(status_text(), StartsWith("power, xfs: 300 states"));
}

TEST_F(Status, of_a_phase_without_numbers_is_its_time) {
  begin_phase("recording ./app");
  EXPECT_EQ(status_text(StatusClock::now() + seconds(5)), "recording ./app, for 5 s");
}

}  // namespace
}  // namespace everycrash::cli
