#include "harness/cli/plan_of.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace everycrash::cli {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

CampaignPlan plan_of(const TestOptions& options) {
  Result<CampaignPlan> plan = campaign_plan_of(options);
  EXPECT_TRUE(plan) << plan.error().message;
  return std::move(*plan);
}

std::string refusal_of(const TestOptions& options) {
  const Result<CampaignPlan> plan = campaign_plan_of(options);
  EXPECT_FALSE(plan);
  if (plan) return "";
  EXPECT_EQ(plan.error().kind, ErrorKind::kUsage);
  return plan.error().message;
}

TEST(PlanOf, what_nobody_asked_for_has_no_limits) {
  const CampaignPlan plan = plan_of({});
  EXPECT_FALSE(plan.budget);
  EXPECT_FALSE(plan.states_max);
  EXPECT_EQ(plan.shard.count, 1u);
  EXPECT_EQ(plan.lying.which, LyingDisk::Which::kAll);
  EXPECT_FALSE(plan.prints_are_promises);
  EXPECT_THAT(plan.real.file_systems, IsEmpty());
  EXPECT_FALSE(plan.run.sink);
}

TEST(PlanOf, limits_come_out_as_numbers) {
  TestOptions options;
  options.budget = "2m";
  options.timeout = "250ms";
  options.states_max = 0;
  options.shard = "2/3";
  const CampaignPlan plan = plan_of(options);
  EXPECT_EQ(plan.budget, milliseconds(120'000));
  EXPECT_EQ(plan.run.timeout, milliseconds(250));
  EXPECT_EQ(plan.states_max, 0u) << "said: there is no limit";
  EXPECT_EQ(plan.shard.index, 1u);
  EXPECT_EQ(plan.shard.count, 3u);
}

TEST(PlanOf, models_are_looked_up) {
  TestOptions options;
  options.models = {"ext4", "xfs"};
  const CampaignPlan plan = plan_of(options);
  ASSERT_THAT(plan.models, SizeIs(2));
  EXPECT_EQ(plan.models[1]->name, "xfs");
  options.models = {"ext5"};
  EXPECT_THAT(refusal_of(options), HasSubstr("ext5"));
}

TEST(PlanOf, a_disk_lies_always_or_once_or_about_one_file) {
  TestOptions options;
  options.lost_fsync = "one";
  EXPECT_EQ(plan_of(options).lying.which, LyingDisk::Which::kOneAtATime);
  options.lost_fsync = "data/log";
  EXPECT_EQ(plan_of(options).lying.which, LyingDisk::Which::kOneFile);
  EXPECT_EQ(plan_of(options).lying.path, "data/log");
}

TEST(PlanOf, prints_are_promises_where_somebody_says_so) {
  TestOptions options;
  options.acknowledgement = "stdout";
  EXPECT_TRUE(plan_of(options).prints_are_promises);
  options = {};
  options.oracles = {"half-file"};
  EXPECT_FALSE(plan_of(options).prints_are_promises);
  options.oracles = {"acknowledged"};
  EXPECT_TRUE(plan_of(options).prints_are_promises);
}

TEST(PlanOf, lost_syncs_come_before_other_faults) {
  TestOptions options;
  options.lose_fsync = {"*.log"};
  options.faults = {"write(a) error=EIO"};
  const std::vector<std::string> faults = plan_of(options).run.faults;
  ASSERT_THAT(faults, SizeIs(2));
  EXPECT_THAT(faults.front(), HasSubstr("*.log"));
  EXPECT_EQ(faults.back(), "write(a) error=EIO");
}

TEST(PlanOf, init_is_a_command) {
  TestOptions options;
  options.init = "cp -r seed .";
  const RunPlan run = plan_of(options).run;
  EXPECT_FALSE(run.init.empty());
  EXPECT_EQ(run.init_text, "cp -r seed .");
  options.init = " ";
  EXPECT_EQ(refusal_of(options), "--init is empty");
}

TEST(PlanOf, refuses_what_cannot_be_understood) {
  TestOptions options;
  options.budget = "soon";
  EXPECT_THAT(refusal_of(options), HasSubstr("--budget"));
  options = {};
  options.timeout = "soon";
  EXPECT_THAT(refusal_of(options), HasSubstr("--timeout"));
  options = {};
  options.shard = "4/3";
  EXPECT_THAT(refusal_of(options), HasSubstr("4/3"));
  options = {};
  options.on = {"floppy"};
  EXPECT_THAT(refusal_of(options), HasSubstr("floppy"));
}

TEST(PlanOf, workers_are_as_many_as_asked_for_or_as_the_machine_has) {
  TestOptions options;
  options.jobs = 7;
  EXPECT_EQ(plan_of(options).workers, 7u);
  options.jobs = 0;
  EXPECT_GE(plan_of(options).workers, 1u);
}

}  // namespace
}  // namespace everycrash::cli
