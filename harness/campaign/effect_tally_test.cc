#include "harness/campaign/effect_tally.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace everycrash {
namespace {

using testing::ElementsAre;

const Complaint kTwice{
    .judge = Judge::kExactlyOnce, .path = "charge a", .wrong = Wrong::kDuplicateEffect};
const Complaint kNever{
    .judge = Judge::kExactlyOnce, .path = "charge a", .wrong = Wrong::kLostEffect};

TEST(EffectTally, lists_what_happened_undisturbed) {
  const std::vector<EffectFacts> table =
      EffectTally().table("effect mail x\neffect charge a\neffect charge a repeatable\n", {});
  ASSERT_EQ(table.size(), 2u);
  EXPECT_EQ(table[0].effect, "charge a");
  EXPECT_EQ(table[0].undisturbed, 2u);
  EXPECT_TRUE(table[0].repeatable);
  EXPECT_FALSE(table[1].repeatable);
}

TEST(EffectTally, counts_states_by_crash_and_model) {
  EffectTally tally;
  tally.begin(CrashKind::kKill, "");
  tally.add({kTwice});
  tally.add({});
  tally.begin(CrashKind::kPower, "xfs");
  tally.add({kNever});
  tally.add({kTwice});
  const std::vector<EffectFacts> table = tally.table("effect charge a\n", {});
  ASSERT_EQ(table.size(), 1u);
  EXPECT_THAT(table[0].faults, ElementsAre(EffectFaultCount{CrashKind::kKill, "", 1, 0},
                                           EffectFaultCount{CrashKind::kPower, "xfs", 1, 1}));
}

TEST(EffectTally, counts_a_state_once) {
  EffectTally tally;
  tally.begin(CrashKind::kKill, "");
  tally.add({kTwice, kTwice});
  const std::vector<EffectFacts> table = tally.table("effect charge a\n", {});
  EXPECT_THAT(table[0].faults, ElementsAre(EffectFaultCount{CrashKind::kKill, "", 1, 0}));
}

TEST(EffectTally, puts_those_at_fault_first) {
  EffectTally tally;
  tally.begin(CrashKind::kKill, "");
  tally.add({kTwice});
  const std::vector<EffectFacts> table = tally.table("effect a 1\neffect charge a\n", {});
  ASSERT_EQ(table.size(), 2u);
  EXPECT_EQ(table.front().effect, "charge a");
}

TEST(EffectTally, takes_the_states_of_a_recovery_for_its_own) {
  EffectTally recovery;
  recovery.begin(CrashKind::kKill, "");
  recovery.add({kTwice});
  EffectTally tally;
  tally.begin(CrashKind::kAgain, "");
  tally.absorb(recovery);
  const std::vector<EffectFacts> table = tally.table("", {});
  EXPECT_THAT(table[0].faults, ElementsAre(EffectFaultCount{CrashKind::kAgain, "", 1, 0}));
}

}  // namespace
}  // namespace everycrash
