#include "reports/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace everycrash::reports {
namespace {

using ::testing::HasSubstr;

NamedDocument shard(const std::string& number) {
  NamedDocument named{number + ".json", {}};
  named.document.shard = number;
  named.document.seed = 7;
  named.document.trace.identity = "abc";
  named.document.findings.push_back({.id = "of this shard alone"});
  named.document.shard_material.emplace();
  return named;
}

std::string error_of(std::vector<NamedDocument> documents) {
  const Result<JoinedShards> joined = join_shards(std::move(documents));
  if (joined) return "";
  EXPECT_EQ(joined.error().kind, ErrorKind::kUsage);
  return joined.error().message;
}

TEST(Merge, shards_come_out_by_number) {
  NamedDocument first = shard("1/2");
  NamedDocument second = shard("2/2");
  second.document.shard_material->complete = true;
  const Result<JoinedShards> joined = join_shards({second, first});
  ASSERT_TRUE(joined);
  ASSERT_EQ(joined->shards.size(), 2u);
  EXPECT_FALSE(joined->shards[0].complete);
  EXPECT_TRUE(joined->shards[1].complete);
}

TEST(Merge, the_run_has_what_all_agree_in_and_nothing_that_one_found) {
  const Result<JoinedShards> joined = join_shards({shard("1/2"), shard("2/2")});
  ASSERT_TRUE(joined);
  EXPECT_EQ(joined->run.seed, 7u);
  EXPECT_EQ(joined->run.trace.identity, "abc");
  EXPECT_EQ(joined->run.shard, "");
  EXPECT_TRUE(joined->run.findings.empty());
  EXPECT_FALSE(joined->run.shard_material);
}

TEST(Merge, one_interrupted_shard_makes_an_interrupted_run) {
  NamedDocument second = shard("2/2");
  second.document.interrupted = true;
  const Result<JoinedShards> joined = join_shards({shard("1/2"), second});
  ASSERT_TRUE(joined);
  EXPECT_TRUE(joined->run.interrupted);
}

TEST(Merge, a_missing_shard_is_named) {
  EXPECT_THAT(error_of({shard("1/3"), shard("3/3")}), HasSubstr("shard 2/3 is missing"));
}

TEST(Merge, a_shard_given_twice_is_named) {
  EXPECT_THAT(error_of({shard("1/2"), shard("1/2")}), HasSubstr("1/2 was given already"));
}

TEST(Merge, a_result_of_a_whole_run_is_no_shard) {
  NamedDocument whole = shard("");
  whole.name = "whole.json";
  whole.document.shard_material.reset();
  EXPECT_THAT(error_of({whole}), HasSubstr("whole.json: not a shard"));
}

TEST(Merge, other_numbers_of_shards_do_not_fit) {
  EXPECT_THAT(error_of({shard("1/2"), shard("2/3")}), HasSubstr("2/3.json one of 3"));
}

TEST(Merge, another_trace_is_explained) {
  NamedDocument other = shard("2/2");
  other.document.trace.identity = "def";
  const std::string message = error_of({shard("1/2"), other});
  EXPECT_THAT(message, HasSubstr("another trace"));
  EXPECT_THAT(message, HasSubstr("everycrash record"));
}

TEST(Merge, another_seed_does_not_fit) {
  NamedDocument other = shard("2/2");
  other.document.seed = 8;
  EXPECT_THAT(error_of({shard("1/2"), other}), HasSubstr("another seed"));
}

TEST(Merge, another_bound_does_not_fit) {
  NamedDocument other = shard("2/2");
  other.document.shard_material->bounds.depth = 2;
  EXPECT_THAT(error_of({shard("1/2"), other}), HasSubstr("another bound"));
}

TEST(Merge, nothing_to_merge_is_wrong_usage) {
  EXPECT_THAT(error_of({}), HasSubstr("no result to merge"));
}

}  // namespace
}  // namespace everycrash::reports
