#include "harness/campaign/kill_campaign.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/campaign/campaign_for_test.h"

namespace everycrash {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// Trees: none, "", "old", "" again, "new"; what had been printed does not separate states.
constexpr uint64_t kStates = 4;

TEST(KillCampaign, finds_what_the_judge_rejects_and_says_where) {
  const CampaignFacts facts = CampaignForTest(unsafe_save(), rejects_empty).facts();
  ASSERT_THAT(facts.findings, SizeIs(1));
  const FindingFacts& finding = facts.findings.front();
  const auto& cause = std::get<KillFacts>(finding.cause);
  EXPECT_EQ(finding.id, cause.cluster.id());
  EXPECT_EQ(finding.judge, Judge::kChecker);
  EXPECT_EQ(finding.path, "f");
  EXPECT_THAT(finding.complaints, ElementsAre("exit status 1"));
  EXPECT_EQ(cause.cluster.opener, kEmptied);
  EXPECT_EQ(cause.cluster.window, KillWindow::kEmptied);
  EXPECT_EQ(finding.state.record, kEmptied);
  EXPECT_EQ(finding.states, 1u);
}

TEST(KillCampaign, counts_every_state_once) {
  const CampaignFacts facts = CampaignForTest(unsafe_save(), rejects_empty).facts();
  ASSERT_THAT(facts.coverage, SizeIs(1));
  const CoverageFacts& row = facts.coverage.front();
  EXPECT_EQ(row.distinct, kStates);
  EXPECT_EQ(row.checked, kStates);
  EXPECT_EQ(row.survived, kStates - 1);
  EXPECT_EQ(row.violated, 1u);
  EXPECT_TRUE(row.exhaustive);
  EXPECT_THAT(row.bounds, IsEmpty());
  EXPECT_THAT(facts.crashed, Contains(kEmptied));
}

TEST(KillCampaign, has_nothing_to_say_where_all_survive) {
  const CampaignFacts facts = CampaignForTest(unsafe_save(), accepts_all).facts();
  EXPECT_THAT(facts.findings, IsEmpty());
  EXPECT_THAT(facts.gaps, IsEmpty());
  EXPECT_EQ(facts.coverage.front().survived, kStates);
  EXPECT_FALSE(facts.interrupted);
}

TEST(KillCampaign, says_the_same_with_several_workers) {
  const CampaignFacts one = CampaignForTest(unsafe_save(), rejects_empty).facts();
  const CampaignFacts three = CampaignForTest(unsafe_save(), rejects_empty, 3).facts();
  ASSERT_THAT(three.findings, SizeIs(1));
  EXPECT_EQ(three.findings.front().id, one.findings.front().id);
  EXPECT_EQ(three.coverage.front().violated, one.coverage.front().violated);
}

TEST(KillCampaign, looks_at_no_more_states_than_asked_for) {
  CampaignForTest campaign(unsafe_save(), accepts_all);
  campaign.plan.states_max = 3;
  const CoverageFacts row = campaign.facts().coverage.front();
  EXPECT_EQ(row.checked, 3u);
  EXPECT_EQ(row.skipped_by_budget, kStates - 3);
  EXPECT_FALSE(row.exhaustive);
  ASSERT_THAT(row.bounds, SizeIs(1));
  EXPECT_FALSE(std::get<InOrder>(row.bounds.front()).interrupted);
}

TEST(KillCampaign, shards_share_all_states_among_them) {
  uint64_t checked = 0;
  for (uint32_t i = 0; i < 3; ++i) {
    CampaignForTest campaign(unsafe_save(), accepts_all);
    campaign.plan.shard = {i, 3};
    const CoverageFacts row = campaign.facts().coverage.front();
    EXPECT_EQ(row.checked + row.skipped_by_shard, kStates);
    EXPECT_TRUE(row.exhaustive) << "all that is this shard's";
    checked += row.checked;
  }
  EXPECT_EQ(checked, kStates);
}

TEST(KillCampaign, a_limit_counts_over_all_shards) {
  uint64_t checked = 0;
  for (uint32_t i = 0; i < 2; ++i) {
    CampaignForTest campaign(unsafe_save(), accepts_all);
    campaign.plan.shard = {i, 2};
    campaign.plan.states_max = 3;
    checked += campaign.facts().coverage.front().checked;
  }
  EXPECT_EQ(checked, 3u);
}

TEST(KillCampaign, a_judge_that_changes_its_mind_measures_nothing) {
  bool asked = false;
  const auto flaky = [&](const FakeSeat& seat, const StateView& state) {
    if (rejects_empty(seat, state).empty() || std::exchange(asked, true)) return Complaints{};
    return Complaints{rejection("f")};
  };
  const CampaignFacts facts = CampaignForTest(unsafe_save(), flaky).facts();
  EXPECT_THAT(facts.findings, IsEmpty());
  EXPECT_EQ(facts.coverage.front().not_measured, 1u);
  EXPECT_EQ(facts.coverage.front().survived, kStates - 1);
  ASSERT_THAT(facts.gaps, SizeIs(1));
  EXPECT_THAT(std::get<UnjudgedState>(facts.gaps.front()).reason, HasSubstr("flaky"));
}

TEST(KillCampaign, asks_a_judge_that_rejects_more_than_once) {
  CampaignForTest campaign(unsafe_save(), rejects_empty);
  EXPECT_THAT(campaign.facts().findings, SizeIs(1));
  EXPECT_GT(campaign.seat().judged, kStates);
}

TEST(KillCampaign, that_is_stopped_counts_what_it_did_not_come_to) {
  CampaignForTest* running = nullptr;
  const auto stop_at_second = [&](const FakeSeat& seat, const StateView&) {
    if (seat.judged == 2) running->stop = true;
    return Complaints{};
  };
  CampaignForTest campaign(unsafe_save(), stop_at_second);
  running = &campaign;
  const CampaignFacts facts = campaign.facts();
  const CoverageFacts& row = facts.coverage.front();
  EXPECT_TRUE(facts.interrupted);
  EXPECT_EQ(row.checked, 2u);
  EXPECT_EQ(row.skipped_by_budget, kStates - 2);
  EXPECT_FALSE(row.exhaustive);
  EXPECT_TRUE(std::get<InOrder>(row.bounds.front()).interrupted);
}

TEST(KillCampaign, whose_time_is_over_has_judged_nothing) {
  CampaignForTest campaign(unsafe_save(), accepts_all);
  campaign.plan.budget = std::chrono::milliseconds(0);
  const CoverageFacts row = campaign.facts().coverage.front();
  EXPECT_EQ(row.checked, 0u);
  EXPECT_EQ(row.skipped_by_budget, kStates);
}

TEST(KillCampaign, tells_each_reason_once_and_counts_the_rest) {
  const auto puzzled = [](const FakeSeat& seat, const StateView&) {
    return Complaints{cannot_tell("exit 77\nstate " + std::to_string(seat.judged))};
  };
  const CampaignFacts same = CampaignForTest(unsafe_save(), puzzled).facts();
  ASSERT_THAT(same.gaps, SizeIs(1)) << "first lines are alike";
  EXPECT_EQ(std::get<UnjudgedState>(same.gaps.front()).reason, "exit 77");
  EXPECT_EQ(same.coverage.front().not_measured, kStates);

  Recording recording;
  for (const char* name : {"a", "b", "c", "d", "e", "g"}) recording.create(name, name[0]);
  const auto differs = [](const FakeSeat& seat, const StateView&) {
    return Complaints{cannot_tell("why " + std::to_string(seat.judged))};
  };
  const CampaignFacts other = CampaignForTest(recording.finish(), differs).facts();
  ASSERT_THAT(other.gaps, SizeIs(6)) << "five of seven, and a count";
  EXPECT_EQ(std::get<MoreReasons>(other.gaps.back()).count, 2u);
}

TEST(KillCampaign, says_which_stores_were_taken_as_one_step) {
  Recording recording;
  recording.create("db", 1).write("db", 1, 0, std::string(8192, 'o'));
  recording.map_write("db", 1, 0, "n").map_write("db", 1, 4096, "n");
  const CampaignFacts facts = CampaignForTest(recording.finish(), accepts_all).facts();
  ASSERT_THAT(facts.gaps, SizeIs(1));
  EXPECT_EQ(std::get<StoresBetweenCalls>(facts.gaps.front()).path, "db");
  EXPECT_EQ(std::get<StoresBetweenCalls>(facts.gaps.front()).more, 0u);
}

TEST(KillCampaign, ends_with_the_error_of_its_judge) {
  class Broken final : public Seat {
   public:
    Result<Complaints> judge(const StateView&) override { return harness_error("no sandbox"); }
    Result<Aftermath> aftermath(const StateView&) override { return Aftermath{}; }
    [[nodiscard]] SinkMemory sink_memory(const StateView&) const override {
      return SinkMemory(SinkOptions{});
    }
    void set_for_commands(std::string_view, std::string_view) override {}
    [[nodiscard]] Status check_undisturbed() override { return {}; }
  };
  CampaignForTest campaign(unsafe_save(), accepts_all);
  campaign.panel().seats.front() = std::make_unique<Broken>();
  const Result<CampaignResult> result = campaign.run();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "no sandbox");
}

TEST(FailFast, leaves_out_what_comes_after_the_first_finding) {
  CampaignForTest campaign(unsafe_save(), rejects_empty);
  campaign.plan.crash = {CrashKind::kKill, CrashKind::kPower};
  campaign.plan.models = {*find_model("ext4")};
  campaign.plan.fail_fast = true;
  const CampaignFacts facts = campaign.facts();
  EXPECT_THAT(facts.findings, SizeIs(1));
  ASSERT_THAT(facts.coverage, SizeIs(2)) << "else the run would count as exhaustive";
  EXPECT_EQ(facts.coverage[1].crash, CrashKind::kPower);
  EXPECT_EQ(facts.coverage[1].checked, 0u);
  EXPECT_FALSE(facts.coverage[1].exhaustive);
  ASSERT_THAT(facts.gaps, SizeIs(1));
  const auto& left = std::get<PartsLeftOut>(facts.gaps.front());
  ASSERT_THAT(left.parts, SizeIs(1));
  EXPECT_EQ(left.parts.front().under, "ext4");
}

}  // namespace
}  // namespace everycrash
