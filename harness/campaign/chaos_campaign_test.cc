#include "harness/campaign/chaos_campaign.h"

#include <gtest/gtest.h>

namespace everycrash {
namespace {

/// Of a round in which the checker says that about PATH ("" = about no file).
ChaosFailure failure(uint64_t round, const std::string& path, const std::string& said) {
  return {.round = round,
          .complaints = {{.judge = Judge::kChecker, .path = path, .message = said, .said = said}}};
}

TEST(ChaosClusters, join_rounds_that_differ_in_numbers_only) {
  ChaosClusters clusters;
  clusters.add(failure(2, "", "key 17 is missing"));
  clusters.add(failure(5, "", "key 4 is missing"));
  ASSERT_EQ(clusters.by_key().size(), 1u);
  const ChaosCluster& cluster = clusters.by_key().begin()->second;
  EXPECT_EQ(cluster.first.round, 2u);
  EXPECT_EQ(cluster.rounds, (std::vector<uint64_t>{2, 5}));
}

TEST(ChaosClusters, keep_other_files_and_other_judges_apart) {
  ChaosClusters clusters;
  clusters.add(failure(1, "a", "is cut"));
  clusters.add(failure(2, "b", "is cut"));
  clusters.add({.round = 3, .end = Exited{1}});  // none judged: left in peace, it fails
  EXPECT_EQ(clusters.by_key().size(), 3u);
}

}  // namespace
}  // namespace everycrash
