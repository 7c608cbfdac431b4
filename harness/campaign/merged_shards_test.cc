// Shards and their merge, from the campaigns of all to that of the whole.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/campaign/campaign_for_test.h"

namespace everycrash {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

constexpr uint32_t kShards = 3;

void plan_all(CampaignPlan& plan) {
  plan.crash = {CrashKind::kKill, CrashKind::kPower};
  plan.models = {*find_model("ext4")};
}

/// What all shards but that of number LEFT_OUT tell when they have judged all of theirs; that one
/// tells of nothing.
ToldShards told_by_shards_without(uint32_t left_out) {
  ToldShards told;
  for (uint32_t i = 0; i < kShards; ++i) {
    CampaignForTest campaign(unsafe_save(), rejects_empty);
    plan_all(campaign.plan);
    campaign.plan.shard = {i, kShards};
    const Result<CampaignResult> result = campaign.run();
    EXPECT_TRUE(result);
    told.shards.push_back(i == left_out ? ToldShard{.complete = false, .complaints = {{}}}
                                        : result->verdicts.tell(true));
  }
  return told;
}

TEST(Merge, finds_what_the_whole_run_finds) {
  CampaignForTest whole(unsafe_save(), rejects_empty);
  plan_all(whole.plan);
  const CampaignFacts expected = whole.facts();
  CampaignForTest merged(unsafe_save(), rejects_empty);
  plan_all(merged.plan);
  const Result<CampaignResult> result = merged.merge(told_by_shards_without(kShards));
  ASSERT_TRUE(result);
  ASSERT_THAT(result->facts.findings, SizeIs(expected.findings.size()));
  for (size_t i = 0; i < expected.findings.size(); ++i) {
    EXPECT_EQ(result->facts.findings[i].id, expected.findings[i].id);
    EXPECT_EQ(result->facts.findings[i].states, expected.findings[i].states);
  }
  for (size_t i = 0; i < expected.coverage.size(); ++i) {
    EXPECT_EQ(result->facts.coverage[i].survived, expected.coverage[i].survived);
    EXPECT_EQ(result->facts.coverage[i].violated, expected.coverage[i].violated);
    EXPECT_EQ(result->facts.coverage[i].exhaustive, expected.coverage[i].exhaustive);
  }
}

TEST(Merge, judges_nothing_that_shards_let_survive) {
  CampaignForTest merged(unsafe_save(), accepts_all);
  plan_all(merged.plan);
  ToldShards told;
  for (uint32_t i = 0; i < kShards; ++i) {
    told.shards.push_back({.complete = true, .complaints = {{}}});
  }
  const Result<CampaignResult> result = merged.merge(told);
  ASSERT_TRUE(result);
  EXPECT_THAT(result->facts.findings, IsEmpty());
  EXPECT_EQ(merged.seat().judged, 0u);
  for (const CoverageFacts& row : result->facts.coverage) EXPECT_EQ(row.survived, row.distinct);
}

TEST(Merge, counts_what_no_shard_has_judged_as_left_out) {
  CampaignForTest merged(unsafe_save(), rejects_empty);
  plan_all(merged.plan);
  uint64_t left = 0;
  for (uint32_t i = 0; i < kShards; ++i) {
    const Result<CampaignResult> result = merged.merge(told_by_shards_without(i));
    ASSERT_TRUE(result);
    for (const CoverageFacts& row : result->facts.coverage) {
      EXPECT_EQ(row.checked + row.skipped_by_budget, row.distinct);
      EXPECT_EQ(row.exhaustive, row.skipped_by_budget == 0);
      left += row.skipped_by_budget;
    }
  }
  EXPECT_GT(left, 0u);
}

TEST(Merge, of_an_interrupted_shard_is_interrupted) {
  ToldShards told = told_by_shards_without(kShards);
  told.interrupted = true;
  CampaignForTest merged(unsafe_save(), rejects_empty);
  plan_all(merged.plan);
  const Result<CampaignResult> result = merged.merge(told);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->facts.interrupted);
}

TEST(Merge, of_a_damaged_shard_is_refused) {
  ToldShards told = told_by_shards_without(kShards);
  told.shards.front().states.push_back({Digest{1, 3}, 99});
  CampaignForTest merged(unsafe_save(), rejects_empty);
  plan_all(merged.plan);
  EXPECT_FALSE(merged.merge(told));
}

}  // namespace
}  // namespace everycrash
