#include "harness/campaign/again_campaign.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "harness/campaign/campaign_for_test.h"

namespace everycrash {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// A recovery that makes the file `r`, first empty, and ends with a status.
class FakeRecoveries final : public RecoveryRuns {
 public:
  using StatusOn = std::function<int(const FileSystem& tree)>;
  FakeRecoveries(std::filesystem::path folder, StatusOn status)
      : folder_(std::move(folder)), status_(std::move(status)) {}

  Result<RecoveryRun> run(const FileSystem& tree, std::string_view, std::string_view) override {
    constexpr uint64_t kNewInode = 1'000'000'000;
    Recording recording;
    for (const auto& [path, node] : tree.paths()) {
      if (tree.node(node).is_file()) std::ofstream(recording.tree() / path) << tree.content(node);
    }
    recording.initial().create("r", kNewInode).write("r", kNewInode, 0, "x");
    RecoveryRun run{.trace_file = folder_ / std::to_string(++runs_), .end = Exited{status_(tree)}};
    recording.finish_in(run.trace_file);
    return run;
  }
  Status restore(const FileSystem&) override { return {}; }

 private:
  std::filesystem::path folder_;
  StatusOn status_;
  int runs_ = 0;
};

Complaints rejects_empty_r(const FakeSeat&, const StateView& state) {
  return content_in(state, "r") == "" ? Complaints{rejection("r")} : Complaints{};
}

void recover(CampaignForTest& campaign, const FakeRecoveries::StatusOn& status) {
  campaign.plan.crash = {CrashKind::kAgain};
  campaign.runs.recoveries =
      [status](const RecordOptions&,
               const std::filesystem::path& folder) -> Result<std::unique_ptr<RecoveryRuns>> {
    return std::make_unique<FakeRecoveries>(folder, status);
  };
}

int succeeds(const FileSystem&) {
  return 0;
}

TEST(AgainCampaign, finds_what_a_second_crash_leaves) {
  CampaignForTest campaign(unsafe_save(), rejects_empty_r);
  recover(campaign, succeeds);
  const CampaignFacts facts = campaign.facts();
  ASSERT_THAT(facts.findings, SizeIs(1)) << "one cause, from however many first crashes";
  const FindingFacts& finding = facts.findings.front();
  EXPECT_EQ(finding.crash, CrashKind::kAgain);
  EXPECT_EQ(finding.path, "r");
  ASSERT_THAT(finding.earlier, SizeIs(1)) << "the crash before it";
  EXPECT_EQ(finding.earlier.front().crash, CrashKind::kKill);
  EXPECT_EQ(finding.earlier.front().run.trace, nullptr) << "of the recorded run";
  EXPECT_NE(finding.run.trace, nullptr) << "of a recovery";
}

TEST(AgainCampaign, leaves_alone_what_one_crash_shows) {
  CampaignForTest campaign(unsafe_save(), rejects_empty);
  recover(campaign, succeeds);
  const CampaignFacts facts = campaign.facts();
  EXPECT_THAT(facts.findings, IsEmpty());
  ASSERT_THAT(facts.gaps, SizeIs(1));
  EXPECT_GT(std::get<RejectedBeforeRecovery>(facts.gaps.front()).states, 0u);
}

TEST(AgainCampaign, counts_recoveries_that_fail) {
  CampaignForTest campaign(unsafe_save(), accepts_all);
  const Digest end = campaign.panel().grounds->history.final_tree().digest();
  recover(campaign, [end](const FileSystem& tree) { return tree.digest() == end ? 0 : 1; });
  const CampaignFacts facts = campaign.facts();
  ASSERT_FALSE(facts.gaps.empty());
  EXPECT_GT(std::get<FailedRecoveries>(facts.gaps.front()).count, 0u);
}

TEST(AgainCampaign, needs_a_workload_that_can_be_run_again) {
  CampaignForTest campaign(unsafe_save(), accepts_all);
  recover(campaign, [](const FileSystem&) { return 1; });
  const Result<CampaignResult> result = campaign.run();
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("cannot be run again"));
}

}  // namespace
}  // namespace everycrash
