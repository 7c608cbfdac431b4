#include "harness/campaign/verdicts.h"

#include <gtest/gtest.h>

namespace everycrash {
namespace {

const std::vector<Complaint> kBroken = {{.judge = Judge::kHalfFile,
                                         .path = "file",
                                         .message = "is cut",
                                         .wrong = Wrong::kHalfWritten,
                                         .signal = 11,
                                         .said = "cut short"}};

Digest state(uint64_t number) {
  return {number, number};
}

TEST(Verdicts, remembers_who_survived_and_who_did_not) {
  Verdicts verdicts;
  verdicts.remember(state(1), {});
  verdicts.remember(state(2), kBroken);
  EXPECT_TRUE(verdicts.find(state(1))->empty());
  EXPECT_EQ(verdicts.find(state(2))->front().message, "is cut");
  EXPECT_EQ(verdicts.find(state(3)), nullptr);
}

TEST(Verdicts, a_complete_shard_tells_only_what_did_not_survive) {
  Verdicts verdicts;
  verdicts.remember(state(1), {});
  verdicts.remember(state(2), kBroken);
  EXPECT_EQ(verdicts.tell(true).states.size(), 1u);
  EXPECT_EQ(verdicts.tell(false).states.size(), 2u);
}

TEST(Verdicts, equal_complaints_are_told_once) {
  Verdicts verdicts;
  verdicts.remember(state(1), kBroken);
  verdicts.remember(state(2), kBroken);
  EXPECT_EQ(verdicts.tell(true).complaints.size(), 2u);  // with the empty list
}

TEST(Verdicts, come_back_from_what_shards_told) {
  Verdicts verdicts;
  verdicts.remember(state(2), kBroken);
  const Result<Verdicts> told = Verdicts::told_by({verdicts.tell(true)});
  ASSERT_TRUE(told);
  EXPECT_EQ(*told->find(state(2), 0), kBroken);
}

TEST(Verdicts, what_a_complete_shard_does_not_name_survived) {
  const Result<Verdicts> told = Verdicts::told_by({Verdicts().tell(true), Verdicts().tell(false)});
  ASSERT_TRUE(told);
  ASSERT_NE(told->find(state(4), 4), nullptr);
  EXPECT_TRUE(told->find(state(4), 4)->empty());
  EXPECT_EQ(told->find(state(5), 5), nullptr) << "shard 1 was not complete";
  EXPECT_EQ(told->find(state(4)), nullptr) << "nobody saw it";
}

TEST(Verdicts, damaged_shards_are_refused) {
  ToldShard shard = Verdicts().tell(true);
  shard.states = {{state(1), 7}};
  EXPECT_FALSE(Verdicts::told_by({shard})) << "there is no seventh list";
}

}  // namespace
}  // namespace everycrash
