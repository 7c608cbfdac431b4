#include "scenarios/state_manager/state_document.h"

#include <gtest/gtest.h>

namespace scenarios::state_manager {
namespace {

Step full_step() {
  return {.name = "step-001",
          .status = StepStatus::kFailed,
          .runner = 3,
          .started_at = "2026-11-29T17:45:12.123Z",
          .updated_at = "2026-11-29T17:45:13.000Z",
          .result = "out/step-001.txt",
          .retry_count = 2,
          .last_error = "a \"quoted\" \\ line\nand more",
          .next_retry_at = "2026-11-29T17:45:14.000Z"};
}

TEST(StateDocument, ReadsBackAsWritten) {
  StateDocument document = new_document(2);
  document.version = 7;
  document.steps[0] = full_step();
  const auto parsed = parse_document(to_json(document));
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->task_id, "batch-2");
  EXPECT_EQ(parsed->version, 7);
  ASSERT_EQ(parsed->steps.size(), 2U);
  const Step& step = parsed->steps[0];
  EXPECT_EQ(step.status, StepStatus::kFailed);
  EXPECT_EQ(step.runner, 3);
  EXPECT_EQ(step.started_at, full_step().started_at);
  EXPECT_EQ(step.updated_at, full_step().updated_at);
  EXPECT_EQ(step.result, full_step().result);
  EXPECT_EQ(step.retry_count, 2);
  EXPECT_EQ(step.last_error, full_step().last_error);
  EXPECT_EQ(step.next_retry_at, full_step().next_retry_at);
}

TEST(StateDocument, KeepsTheOrderOfSteps) {
  const auto parsed = parse_document(to_json(new_document(1001)));
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->steps.back().name, "step-1001");
}

TEST(StateDocument, EveryStatusReadsBack) {
  for (const StepStatus status : {StepStatus::kPending, StepStatus::kRunning, StepStatus::kDone,
                                  StepStatus::kFailed, StepStatus::kFailedStop}) {
    StateDocument document = new_document(1);
    document.steps[0].status = status;
    const auto parsed = parse_document(to_json(document));
    ASSERT_TRUE(parsed) << status_name(status);
    EXPECT_EQ(parsed->steps[0].status, status);
  }
}

TEST(StateDocument, CutAnywhereIsRejected) {
  const std::string json = to_json(new_document(3));
  // The last byte is the newline, without which the document is still whole.
  for (size_t length = 0; length + 1 < json.size(); ++length) {
    EXPECT_FALSE(parse_document(json.substr(0, length))) << length;
  }
}

TEST(StateDocument, DamageIsDescribed) {
  const std::string json = to_json(new_document(1));
  EXPECT_EQ(parse_document("").error().message, "it is empty");
  EXPECT_EQ(parse_document(json.substr(0, 20)).error().message,
            "it ends early, after byte 20 of 20");
  EXPECT_EQ(parse_document("{}x" + json).error().message.find("it is damaged at byte 3"), 0U);
}

TEST(StateDocument, ZerosAreRejected) {
  std::string json = to_json(new_document(3));
  json.replace(40, 10, std::string(10, '\0'));
  EXPECT_FALSE(parse_document(json));
}

TEST(StateDocument, UnknownStatusIsRejected) {
  std::string json = to_json(new_document(1));
  json.replace(json.find("pending"), 7, "resting");
  const auto parsed = parse_document(json);
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().message, "unknown status 'resting'");
}

TEST(StateDocument, FindsItsSteps) {
  const StateDocument document = new_document(3);
  ASSERT_NE(document.find("step-002"), nullptr);
  EXPECT_EQ(document.find("step-002")->name, "step-002");
  EXPECT_EQ(document.find("step-004"), nullptr);
}

TEST(VersionInHead, IsThatOfTheWholeDocument) {
  StateDocument document = new_document(100);
  document.version = 123456;
  EXPECT_EQ(version_in_head(to_json(document).substr(0, 64)), 123456);
}

TEST(VersionInHead, IsNoneWhenTheNumberIsCut) {
  EXPECT_EQ(version_in_head("{\"task_id\":\"batch-1\",\"version\":12"), std::nullopt);
  EXPECT_EQ(version_in_head(""), std::nullopt);
}

}  // namespace
}  // namespace scenarios::state_manager
