#include "harness/check/stages.h"

#include <gtest/gtest.h>

#include "harness/check/history.h"
#include "harness/effects/found_effects.h"
#include "harness/trace/trace.h"
#include "harness/trace/workload_text.h"

namespace everycrash {
namespace {

TEST(Stages, begin_where_a_new_file_is_finished_for_the_first_time) {
  const Result<Trace> trace = record_text(
      {"create t", "write t 0 \"x\"", "rename t f", "create t", "write t 0 \"y\"", "rename t g"});
  ASSERT_TRUE(trace) << trace.error().message;
  const Stages stages(*History::of(*trace), {});
  std::vector<uint64_t> renames;
  for (const Operation& record : trace->records()) {
    if (record.kind == Kind::kRename) renames.push_back(record.sequence);
  }
  ASSERT_EQ(renames.size(), 2u);
  EXPECT_EQ(stages.of(0), 0u);
  EXPECT_EQ(stages.of(renames[0] - 1), 0u) << "f is not there yet";
  EXPECT_EQ(stages.of(renames[0]), 1u);
  EXPECT_EQ(stages.of(renames[1] - 1), 1u);
  EXPECT_EQ(stages.of(renames[1]), 2u);
}

TEST(Stages, begin_where_an_effect_is_taken_away) {
  const Result<Trace> trace = record_text({"initial old \"1\""});
  ASSERT_TRUE(trace) << trace.error().message;
  FoundEffects effects;
  effects.effects.push_back({.sequence = 2, .line = "effect file a", .file = "out/a", .gone = 5});
  const Stages stages(*History::of(*trace), effects);
  EXPECT_EQ(stages.of(4), 0u);
  EXPECT_EQ(stages.of(5), 1u);
}

}  // namespace
}  // namespace everycrash
