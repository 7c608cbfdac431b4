#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/campaign/campaign_for_test.h"
#include "harness/inject/clock_variants.h"

namespace everycrash {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

/// Rejects the emptied file only where it is started with a clock that is behind.
Complaints rejects_when_behind(const FakeSeat& seat, const StateView& state) {
  const bool behind = seat.variable("EVERYCRASH_FAULTS").find("clock=-2h") != std::string::npos;
  return behind ? rejects_empty(seat, state) : Complaints{};
}

TEST(ClockCampaign, blames_the_clock_by_which_it_fails) {
  CampaignForTest campaign(unsafe_save(), rejects_when_behind);
  campaign.plan.crash = {CrashKind::kClock};
  const CampaignFacts facts = campaign.facts();
  ASSERT_THAT(facts.findings, SizeIs(1));
  const FindingFacts& finding = facts.findings.front();
  EXPECT_EQ(finding.crash, CrashKind::kClock);
  EXPECT_THAT(finding.models, ElementsAre("2 hours back"));
  EXPECT_EQ(std::get<KillFacts>(finding.cause).clock, "2 hours back");
}

TEST(ClockCampaign, has_a_row_for_each_clock) {
  CampaignForTest campaign(unsafe_save(), rejects_when_behind);
  campaign.plan.crash = {CrashKind::kClock};
  const CampaignFacts facts = campaign.facts();
  ASSERT_THAT(facts.coverage, SizeIs(clock_variants().size()));
  for (size_t i = 0; i < facts.coverage.size(); ++i) {
    EXPECT_EQ(facts.coverage[i].model, clock_variants()[i].name);
    EXPECT_EQ(facts.coverage[i].violated, i == 0 ? 1u : 0u);
  }
}

TEST(ClockCampaign, joins_what_fails_by_several_clocks) {
  CampaignForTest campaign(unsafe_save(), rejects_empty);
  campaign.plan.crash = {CrashKind::kClock};
  const CampaignFacts facts = campaign.facts();
  ASSERT_THAT(facts.findings, SizeIs(1));
  EXPECT_THAT(facts.findings.front().models, SizeIs(clock_variants().size()));
  EXPECT_EQ(facts.findings.front().states, clock_variants().size());
}

TEST(ClockCampaign, is_another_finding_than_that_of_a_kill) {
  CampaignForTest campaign(unsafe_save(), rejects_empty);
  campaign.plan.crash = {CrashKind::kKill, CrashKind::kClock};
  const CampaignFacts facts = campaign.facts();
  ASSERT_THAT(facts.findings, SizeIs(2));
  EXPECT_NE(facts.findings[0].id, facts.findings[1].id);
}

TEST(ClockCampaign, sets_the_real_clock_again) {
  CampaignForTest campaign(unsafe_save(), accepts_all);
  campaign.plan.crash = {CrashKind::kClock};
  static_cast<void>(campaign.facts());
  EXPECT_THAT(campaign.seat().variable("EVERYCRASH_FAULTS"), IsEmpty());
}

}  // namespace
}  // namespace everycrash
