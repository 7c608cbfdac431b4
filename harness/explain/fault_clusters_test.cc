#include "harness/explain/fault_clusters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/trace/recording_for_test.h"

namespace everycrash {
namespace {

using testing::SizeIs;

CallSite same_site(uint64_t) {
  return {.name = "save in app"};
}

std::vector<Complaint> said_by(Judge judge) {
  return {{.judge = judge, .message = "bad"}};
}

/// A write that fails once.
SweptFault failing(const std::string& text) {
  SweptFault fault{.record = 2, .text = text};
  fault.fault.last = fault.fault.first;
  return fault;
}

TEST(FaultClusters, one_check_that_is_missing_is_one_cause_whatever_the_errno) {
  Recording recording;
  recording.create("f", 1).write("f", 1, 0, "x");
  const Trace trace = recording.finish();
  const std::vector<SweptFault> sweep = {failing("write(f) EIO when=1"),
                                         failing("write(f) ENOSPC when=1"),
                                         failing("write(f) EINTR when=1")};
  const std::vector<FaultCluster> clusters = cluster_faults(
      trace, sweep, {said_by(Judge::kSilentSuccess), said_by(Judge::kSilentSuccess), {}},
      same_site);
  ASSERT_THAT(clusters, SizeIs(1));
  EXPECT_THAT(clusters[0].faults, SizeIs(2)) << "nothing was said of the third";
  EXPECT_EQ(clusters[0].way, FaultWay::kFails);
  EXPECT_EQ(clusters[0].judge, Judge::kSilentSuccess);
}

TEST(FaultClusters, who_judges_and_what_happens_to_the_call_tell_causes_apart) {
  Recording recording;
  recording.create("f", 1).write("f", 1, 0, "x");
  const Trace trace = recording.finish();
  std::vector<SweptFault> sweep = {failing("a"), failing("b"), failing("c")};
  sweep[2].fills_disk = true;
  const std::vector<FaultCluster> clusters = cluster_faults(
      trace, sweep,
      {said_by(Judge::kSilentSuccess), said_by(Judge::kEndless), said_by(Judge::kSilentSuccess)},
      same_site);
  ASSERT_THAT(clusters, SizeIs(3));
  EXPECT_EQ(clusters[2].way, FaultWay::kDiskFull);
}

TEST(FaultWay, is_told_by_the_fault) {
  SweptFault fault = failing("write(f) EIO when=1");
  EXPECT_EQ(way_of(fault), FaultWay::kFails);
  fault.fault.last = faults::Fault::kForever;
  EXPECT_EQ(way_of(fault), FaultWay::kFailsForGood);
  fault.fault.action = faults::Action::kShort;
  EXPECT_EQ(way_of(fault), FaultWay::kCutShort);
  fault.fault.call = preload::FaultQuery::kReceive;
  EXPECT_EQ(way_of(fault), FaultWay::kNoAnswer);
}

}  // namespace
}  // namespace everycrash
