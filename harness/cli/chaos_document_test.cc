#include "harness/cli/chaos_document.h"

#include <gtest/gtest.h>

namespace everycrash::cli {
namespace {

ChaosFailure failure(uint64_t round, const std::string& path, const std::string& said) {
  return {.round = round, .judge = "checker", .path = path, .said = {said}};
}

TEST(ChaosClusters, join_rounds_that_differ_in_numbers_only) {
  ChaosClusters clusters;
  clusters.add(failure(2, "", "exit status 1:\nkey 17 is missing"));
  clusters.add(failure(5, "", "exit status 1:\nkey 4 is missing"));
  ASSERT_EQ(clusters.by_key().size(), 1u);
  const ChaosCluster& cluster = clusters.by_key().begin()->second;
  EXPECT_EQ(cluster.first.round, 2u);
  EXPECT_EQ(cluster.rounds, (std::vector<uint64_t>{2, 5}));
}

TEST(ChaosClusters, keep_other_files_and_other_judges_apart) {
  ChaosClusters clusters;
  clusters.add(failure(1, "a", "is cut"));
  clusters.add(failure(2, "b", "is cut"));
  ChaosFailure stuck = failure(3, "a", "is cut");
  stuck.judge = kEventualSuccess;
  clusters.add(std::move(stuck));
  EXPECT_EQ(clusters.by_key().size(), 3u);
}

TEST(CommandOfRound, replaces_how_much_is_played) {
  EXPECT_EQ(command_of_round(
                {"/x/everycrash", "chaos", "--rounds", "40", "--seed=9", "--metrics", "m.txt",
                 "--check", "./check", "--report", "r", "--", "./app", "--rounds", "3"},
                9, 17),
            "everycrash chaos --seed 9 --round 17 --check ./check -- ./app --rounds 3");
}

}  // namespace
}  // namespace everycrash::cli
