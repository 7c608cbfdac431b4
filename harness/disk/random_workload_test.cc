#include <gtest/gtest.h>

#include "harness/disk/legal_trees.h"
#include "harness/disk/litmus.h"
#include "harness/model/models.h"
#include "harness/trace/workload_text.h"

namespace everycrash {
namespace {

TEST(RandomWorkload, is_one_that_can_happen) {
  for (uint64_t number = 0; number < 500; ++number) {
    const Litmus workload = random_workload(1, number);
    const Result<Trace> trace = record_text(workload.script);
    ASSERT_TRUE(trace) << workload.name << ": " << trace.error().message;
    EXPECT_TRUE(LegalTrees::of(*trace, kExt4Model)) << workload.name;
  }
}

TEST(RandomWorkload, is_the_same_for_the_same_numbers) {
  EXPECT_EQ(random_workload(3, 5).script, random_workload(3, 5).script);
  EXPECT_NE(random_workload(3, 5).script, random_workload(4, 5).script);
}

TEST(LitmusWorkloads, can_all_happen) {
  EXPECT_GT(litmus_workloads().size(), 50U);
  for (const Litmus& litmus : litmus_workloads()) {
    const Result<Trace> trace = record_text(litmus.script);
    ASSERT_TRUE(trace) << litmus.name;
    EXPECT_TRUE(LegalTrees::of(*trace, kPosixModel)) << litmus.name;
  }
}

}  // namespace
}  // namespace everycrash
