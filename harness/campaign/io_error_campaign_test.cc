#include "harness/campaign/io_error_campaign.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/campaign/campaign_for_test.h"

namespace everycrash {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// Runs by a function: what a workload leaves that meets a plan of faults.
class FakePlace final : public FaultedRuns {
 public:
  using Behaves = std::function<FaultedRun(const std::string& plan)>;
  explicit FakePlace(Behaves behaves) : behaves_(std::move(behaves)) {}
  Result<FaultedRun> run(const std::string& plan) override { return behaves_(plan); }
  Result<FaultedRun> run_on(const FileSystem&, const std::string& plan,
                            const SinkMemory&) override {
    return behaves_(plan);
  }
  [[nodiscard]] SinkMemory new_sink() const override { return SinkMemory(SinkOptions{}); }
  Status tell_past(std::string_view, std::string_view) override { return {}; }
  void measure_by(const FaultedRun&) override {}

 private:
  Behaves behaves_;
};

Trace one_save() {
  Recording recording;
  recording.create("f", 1).write("f", 1, 0, "new").add(Kind::kClose, "f", "", 1, "");
  return recording.finish();
}

/// A run that leaves TREE and met the fault, with that exit status.
FaultedRun run_that_leaves(const FileSystem& tree, int status) {
  FaultedRun run{.met = true, .end = Exited{status}, .tree = tree};
  run.faults.fired[0] = 1;
  return run;
}

/// The facts of a workload that behaves so, judged by the checker of an empty `f`.
class IoErrors : public testing::Test {
 protected:
  IoErrors()
      : campaign_(one_save(), [](const FakeSeat&, const StateView& state) {
          return content_in(state, "f") == "" ? Complaints{rejection("f")} : Complaints{};
        }) {
    campaign_.plan.crash = {CrashKind::kIoError};
  }
  void behave(const FakePlace::Behaves& behaves) {
    campaign_.runs.faulted = [behaves](auto&&...) -> Result<std::unique_ptr<FaultedRuns>> {
      return std::make_unique<FakePlace>(behaves);
    };
  }
  [[nodiscard]] const FileSystem& whole() {
    return campaign_.panel().grounds->history.final_tree();
  }
  /// What is left of it where the write failed.
  [[nodiscard]] FileSystem empty() {
    FileSystem tree = whole();
    tree.set_size(tree.find("f"), 0);
    return tree;
  }

  CampaignForTest campaign_;
};

TEST_F(IoErrors, that_do_no_harm_are_survived) {
  behave([this](const std::string&) { return run_that_leaves(whole(), 0); });
  const CampaignFacts facts = campaign_.facts();
  EXPECT_THAT(facts.findings, IsEmpty());
  ASSERT_THAT(facts.coverage, SizeIs(1));
  EXPECT_EQ(facts.coverage.front().survived, facts.coverage.front().considered);
  EXPECT_TRUE(facts.coverage.front().exhaustive);
}

TEST_F(IoErrors, that_leave_a_bad_file_are_a_finding) {
  behave([this](const std::string& plan) {
    return run_that_leaves(plan.find("write(") != std::string::npos ? empty() : whole(), 0);
  });
  const CampaignFacts facts = campaign_.facts();
  ASSERT_THAT(facts.findings, testing::Not(IsEmpty()));
  const FindingFacts& finding = facts.findings.front();
  EXPECT_EQ(finding.crash, CrashKind::kIoError);
  EXPECT_EQ(finding.path, "f");
  EXPECT_EQ(finding.run_end, "exit status 0");
  EXPECT_EQ(campaign_.trace().find(finding.state.record)->kind, Kind::kWrite);
}

TEST_F(IoErrors, that_no_call_met_are_not_measured) {
  behave([this](const std::string& plan) {
    FaultedRun run = run_that_leaves(whole(), 0);
    if (!plan.empty()) run.faults.fired[0] = 0;
    return run;
  });
  const CampaignFacts facts = campaign_.facts();
  const CoverageFacts& row = facts.coverage.front();
  EXPECT_EQ(row.not_measured, row.considered);
  EXPECT_FALSE(row.exhaustive);
  ASSERT_THAT(row.bounds, SizeIs(1));
  EXPECT_THAT(std::get<NeverMet>(row.bounds.front()).paths, testing::Contains("f"));
}

TEST_F(IoErrors, need_a_workload_that_succeeds_twice) {
  behave([this](const std::string&) { return run_that_leaves(whole(), 1); });
  const Result<CampaignResult> result = campaign_.run();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kHarness);
  EXPECT_THAT(result.error().message, HasSubstr("fails when it is run once more"));
}

}  // namespace
}  // namespace everycrash
