#include "harness/campaign/power_campaign.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/campaign/campaign_for_test.h"
#include "harness/trace/workload_text.h"

namespace everycrash {
namespace {

using testing::ElementsAre;
using testing::Gt;
using testing::IsEmpty;
using testing::SizeIs;

/// What a program prints is held against it: "saved" means that `f` holds "new".
Complaint broken_promise(const std::string& message = "f is gone after \"saved\" was printed") {
  return {.judge = Judge::kAcknowledged, .path = "f", .message = message, .wrong = Wrong::kGone};
}

Trace record(const std::vector<std::string>& lines) {
  Result<Trace> trace = record_text(lines);
  EXPECT_TRUE(trace) << trace.error().message;
  return std::move(*trace);
}

/// Replaces a file by renaming, and forgets to sync it before.
Trace rename_without_sync() {
  return record({"initial f \"old\"", "create t", "write t 0 \"new\"", "rename t f", "sync"});
}

Complaints rejects_empty_file(const FakeSeat&, const StateView& state) {
  return content_in(state, "f") == "" ? Complaints{rejection("f")} : Complaints{};
}

/// The plan of power failures under these models.
void plan_power(const std::vector<std::string>& models, CampaignPlan& plan) {
  plan.crash = {CrashKind::kPower};
  for (const std::string& name : models) plan.models.push_back(*find_model(name));
}

TEST(PowerCampaign, finds_what_is_lost_and_what_is_kept) {
  CampaignForTest campaign(rename_without_sync(), rejects_empty_file);
  plan_power({"posix"}, campaign.plan);
  const CampaignFacts facts = campaign.facts();
  ASSERT_THAT(facts.findings, SizeIs(1));
  const FindingFacts& finding = facts.findings.front();
  const auto& cause = std::get<PowerFacts>(finding.cause).cause;
  EXPECT_EQ(finding.id, cause.id());
  EXPECT_THAT(finding.models, ElementsAre("posix"));
  EXPECT_EQ(campaign.trace().find(cause.lost_record())->kind, Kind::kWrite);
  EXPECT_EQ(campaign.trace().find(cause.kept_record)->kind, Kind::kRename);
  EXPECT_EQ(finding.state.lost, cause.lost);
  EXPECT_EQ(facts.coverage.front().violated, finding.states);
}

TEST(PowerCampaign, says_whether_it_saw_every_state) {
  CampaignForTest campaign(rename_without_sync(), rejects_empty_file);
  plan_power({"posix"}, campaign.plan);
  const CoverageFacts row = campaign.facts().coverage.front();
  EXPECT_TRUE(row.exhaustive);
  EXPECT_THAT(row.bounds, IsEmpty());
  EXPECT_EQ(row.checked, row.distinct);
}

TEST(PowerCampaign, that_ends_after_so_many_states_is_bounded) {
  CampaignForTest campaign(rename_without_sync(), rejects_empty_file);
  plan_power({"posix"}, campaign.plan);
  campaign.plan.states_max = 2;
  const CoverageFacts row = campaign.facts().coverage.front();
  EXPECT_EQ(row.checked, 2u);
  EXPECT_FALSE(row.exhaustive);
  ASSERT_THAT(row.bounds, SizeIs(1));
  EXPECT_EQ(std::get<PowerBound>(row.bounds.front()).states_max, 2u);
}

TEST(PowerCampaign, has_nothing_to_say_where_the_model_forbids_it) {
  CampaignForTest campaign(rename_without_sync(), rejects_empty_file);
  plan_power({"ext4"}, campaign.plan);  // writes the data of a file before it replaces another
  const CampaignFacts facts = campaign.facts();
  EXPECT_THAT(facts.findings, IsEmpty());
  EXPECT_EQ(facts.coverage.front().violated, 0u);
}

TEST(PowerCampaign, models_share_a_finding_with_one_cause) {
  CampaignForTest campaign(rename_without_sync(), rejects_empty_file);
  plan_power({"posix", "xfs"}, campaign.plan);
  const CampaignFacts facts = campaign.facts();
  ASSERT_THAT(facts.findings, SizeIs(1));
  EXPECT_THAT(facts.findings.front().models, ElementsAre("posix", "xfs"));
  ASSERT_THAT(facts.coverage, SizeIs(2));
  EXPECT_EQ(facts.findings.front().states, facts.coverage[0].violated + facts.coverage[1].violated);
}

TEST(PowerCampaign, judges_no_state_twice_under_several_models) {
  CampaignForTest one(rename_without_sync(), accepts_all);
  plan_power({"posix"}, one.plan);
  CampaignForTest two(rename_without_sync(), accepts_all);
  plan_power({"posix", "xfs"}, two.plan);
  EXPECT_THAT(two.facts().coverage[1].checked, Gt(0u));
  static_cast<void>(one.facts());
  EXPECT_EQ(two.seat().judged, one.seat().judged) << "POSIX allows all that xfs does";
}

/// Prints before what it made is on disk.
Trace promise_before_sync() {
  return record({"create f", "write f 0 \"new\"", "print \"saved\"", "sync"});
}

Complaints rejects_unkept_promise(const FakeSeat&, const StateView& state) {
  const bool kept = state.printed.empty() || content_in(state, "f") == "new";
  return kept ? Complaints{} : Complaints{broken_promise()};
}

TEST(PowerCampaign, notes_belied_prints_that_nobody_called_promises) {
  CampaignForTest campaign(promise_before_sync(), rejects_unkept_promise);
  plan_power({"ext4"}, campaign.plan);
  const CampaignFacts facts = campaign.facts();
  EXPECT_THAT(facts.findings, IsEmpty());
  EXPECT_EQ(facts.coverage.front().violated, 0u);
  ASSERT_THAT(facts.belied, SizeIs(1));
  EXPECT_EQ(facts.belied.front().model, "ext4");
  EXPECT_EQ(facts.belied.front().message, broken_promise().message);
  EXPECT_THAT(facts.belied.front().states, Gt(0u));
}

TEST(PowerCampaign, holds_belied_prints_against_who_calls_them_promises) {
  CampaignForTest campaign(promise_before_sync(), rejects_unkept_promise);
  plan_power({"ext4"}, campaign.plan);
  campaign.plan.prints_are_promises = true;
  const CampaignFacts facts = campaign.facts();
  EXPECT_THAT(facts.belied, IsEmpty());
  ASSERT_THAT(facts.findings, SizeIs(1));
  EXPECT_EQ(facts.findings.front().judge, Judge::kAcknowledged);
  EXPECT_EQ(facts.coverage.front().violated, facts.findings.front().states);
}

TEST(PowerCampaign, tells_from_when_on_records_are_safe) {
  CampaignForTest campaign(rename_without_sync(), accepts_all);
  plan_power({"ext4"}, campaign.plan);
  const CampaignFacts facts = campaign.facts();
  ASSERT_THAT(facts.durability, SizeIs(1));
  EXPECT_EQ(facts.durability.front().model, "ext4");
  EXPECT_THAT(facts.durability.front().since, SizeIs(campaign.trace().records().size()));
}

TEST(PowerCampaign, that_fails_fast_counts_the_rest) {
  CampaignForTest campaign(rename_without_sync(), rejects_empty_file);
  plan_power({"posix"}, campaign.plan);
  campaign.plan.fail_fast = true;
  const CampaignFacts facts = campaign.facts();
  ASSERT_THAT(facts.findings, SizeIs(1));
  EXPECT_EQ(facts.coverage.front().violated, 1u);
  EXPECT_FALSE(facts.coverage.front().exhaustive);
}

TEST(PowerCampaign, shards_share_all_states_among_them) {
  uint64_t checked = 0;
  uint64_t distinct = 0;
  for (uint32_t i = 0; i < 2; ++i) {
    CampaignForTest campaign(rename_without_sync(), accepts_all);
    plan_power({"posix"}, campaign.plan);
    campaign.plan.shard = {i, 2};
    const CoverageFacts row = campaign.facts().coverage.front();
    EXPECT_EQ(row.checked + row.skipped_by_shard, row.distinct);
    checked += row.checked;
    distinct = row.distinct;
  }
  EXPECT_EQ(checked, distinct);
}

/// Saves with all syncs that it needs.
Trace safe_save() {
  return record(
      {"initial f \"old\"", "create t", "write t 0 \"new\"", "fsync t", "rename t f", "fsync ."});
}

TEST(LostFsync, finds_what_an_honest_disk_keeps) {
  CampaignForTest honest(safe_save(), rejects_empty_file);
  plan_power({"posix"}, honest.plan);
  EXPECT_THAT(honest.facts().findings, IsEmpty());

  CampaignForTest lying(safe_save(), rejects_empty_file);
  plan_power({"posix"}, lying.plan);
  lying.plan.crash = {CrashKind::kLostFsync};
  const CampaignFacts facts = lying.facts();
  ASSERT_THAT(facts.findings, SizeIs(1));
  EXPECT_EQ(facts.findings.front().crash, CrashKind::kLostFsync);
  EXPECT_EQ(facts.coverage.front().crash, CrashKind::kLostFsync);
}

TEST(LostFsync, of_another_file_does_no_harm) {
  CampaignForTest campaign(safe_save(), rejects_empty_file);
  plan_power({"posix"}, campaign.plan);
  campaign.plan.crash = {CrashKind::kLostFsync};
  campaign.plan.lying = {LyingDisk::Which::kOneFile, "other"};
  EXPECT_THAT(campaign.facts().findings, IsEmpty());
  campaign.plan.lying.path = "t";
  EXPECT_THAT(campaign.facts().findings, SizeIs(1));
}

TEST(LostFsync, one_at_a_time_has_no_moment_from_which_on_all_is_safe) {
  CampaignForTest campaign(safe_save(), rejects_empty_file);
  plan_power({"posix"}, campaign.plan);
  campaign.plan.crash = {CrashKind::kLostFsync};
  campaign.plan.lying.which = LyingDisk::Which::kOneAtATime;
  const CampaignFacts facts = campaign.facts();
  EXPECT_THAT(facts.findings, SizeIs(1));
  EXPECT_THAT(facts.durability, IsEmpty());
}

}  // namespace
}  // namespace everycrash
