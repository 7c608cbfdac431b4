#include "harness/campaign/facts.h"

#include <gtest/gtest.h>

#include "harness/campaign/campaign_for_test.h"

namespace everycrash {
namespace {

/// A run whose facts are sound.
class Facts : public testing::Test {
 protected:
  Facts() : campaign_(unsafe_save(), rejects_empty), facts_(campaign_.facts()) {
    testing::FLAGS_gtest_death_test_style = "fast";
  }
  void check() { assert_sound(facts_, campaign_.trace()); }

  CampaignForTest campaign_;
  CampaignFacts facts_;
};

TEST_F(Facts, of_a_campaign_are_sound) {
  ASSERT_EQ(facts_.findings.size(), 1u);
  check();
}

TEST_F(Facts, of_coverage_add_up) {
  ++facts_.coverage.front().checked;
  EXPECT_DEATH(check(), "row.survived");
}

TEST_F(Facts, that_are_not_exhaustive_say_why) {
  facts_.coverage.front().exhaustive = false;
  EXPECT_DEATH(check(), "row.bounds");
}

TEST_F(Facts, of_a_finding_hold_something_against_a_state) {
  facts_.findings.front().states = 0;
  EXPECT_DEATH(check(), "finding.states");
}

TEST_F(Facts, name_records_of_their_run) {
  facts_.findings.front().state.record = campaign_.trace().records().size() + 1;
  EXPECT_DEATH(check(), "records");
}

}  // namespace
}  // namespace everycrash
