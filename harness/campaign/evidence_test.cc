#include "harness/campaign/evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/campaign/campaign_for_test.h"

namespace everycrash {
namespace {

using testing::Each;
using testing::SizeIs;
using LeftOut = EvidenceFacts::LeftOut;

TEST(Evidence, shows_the_file_before_at_and_after_the_crash) {
  CampaignForTest campaign(unsafe_save(), rejects_empty);
  const CampaignFacts facts = campaign.facts();
  ASSERT_THAT(facts.findings, SizeIs(1));
  const std::optional<EvidenceFacts>& evidence = facts.findings.front().evidence;
  ASSERT_TRUE(evidence);
  const auto content = [](const FileSystem& tree) { return tree.content(tree.find("f")); };
  EXPECT_EQ(evidence->broken_file, "f");
  ASSERT_TRUE(evidence->before && evidence->crash && evidence->new_file);
  EXPECT_EQ(content(evidence->before->tree), "old");
  EXPECT_EQ(content(*evidence->crash), "");
  EXPECT_EQ(content(evidence->new_file->tree), "new");
  EXPECT_EQ(evidence->after_what, "the checker");
  EXPECT_EQ(evidence->printed, "saved\n");
  EXPECT_EQ(evidence->left_out, LeftOut::kNothing);
}

/// What is collected of COUNT findings at that crash point.
std::vector<LeftOut> collected(CampaignForTest& campaign, size_t count, CrashPoint point) {
  EvidenceCollector collector(campaign.trace(), campaign.panel().grounds->history,
                              *campaign.panel().seats.front(), {});
  std::vector<LeftOut> left_out;
  for (size_t i = 0; i < count; ++i) left_out.push_back(collector.of_kill(point, 0, {})->left_out);
  return left_out;
}

TEST(Evidence, runs_what_comes_after_the_crash_for_the_first_findings_only) {
  CampaignForTest campaign(unsafe_save(), accepts_all);
  const size_t runs = EvidenceBudget().runs;
  std::vector<LeftOut> left_out = collected(campaign, runs + 2, {kEmptied, -1});
  EXPECT_EQ(campaign.seat().aftermaths, runs);
  EXPECT_THAT(
      std::vector<LeftOut>(left_out.begin() + static_cast<std::ptrdiff_t>(runs), left_out.end()),
      Each(LeftOut::kAftermath));
}

TEST(Evidence, of_later_runs_comes_out_of_the_same_budget) {
  CampaignForTest campaign(unsafe_save(), accepts_all);
  const History& history = campaign.panel().grounds->history;
  EvidenceCollector collector(campaign.trace(), history, campaign.seat(), {});
  EvidenceCollector later = collector.of_later_run({campaign.trace(), history, "before\n", ""});
  for (uint64_t i = 0; i < EvidenceBudget().runs; ++i) {
    EXPECT_TRUE(collector.of_kill({kEmptied, -1}, 0, {}));
  }
  const Result<EvidenceFacts> evidence = later.of_kill({kEmptied, -1}, 0, {});
  ASSERT_TRUE(evidence);
  EXPECT_EQ(evidence->left_out, LeftOut::kAftermath);
  EXPECT_EQ(evidence->printed, "before\nsaved\n");
}

}  // namespace
}  // namespace everycrash
