#include "harness/campaign/effect_tally.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace everycrash {
namespace {

using reports::EffectFaults;
using testing::ElementsAre;

const Complaint kTwice{
    .judge = Judge::kExactlyOnce, .path = "charge a", .wrong = Wrong::kDuplicateEffect};
const Complaint kNever{
    .judge = Judge::kExactlyOnce, .path = "charge a", .wrong = Wrong::kLostEffect};

TEST(EffectTally, lists_what_happened_undisturbed) {
  reports::ResultDocument document;
  EffectTally().write("effect mail x\neffect charge a\neffect charge a repeatable\n", {}, document);
  ASSERT_EQ(document.effects.size(), 2u);
  EXPECT_EQ(document.effects[0].effect, "charge a");
  EXPECT_EQ(document.effects[0].undisturbed, 2u);
  EXPECT_TRUE(document.effects[0].repeatable);
  EXPECT_FALSE(document.effects[1].repeatable);
}

TEST(EffectTally, counts_states_by_crash_and_model) {
  EffectTally tally;
  tally.begin(CrashKind::kKill, "");
  tally.add({kTwice});
  tally.add({});
  tally.begin(CrashKind::kPower, "xfs");
  tally.add({kNever});
  tally.add({kTwice});
  reports::ResultDocument document;
  tally.write("effect charge a\n", {}, document);
  ASSERT_EQ(document.effects.size(), 1u);
  EXPECT_THAT(document.effects[0].faults,
              ElementsAre(EffectFaults{CrashKind::kKill, "", 1, 0},
                          EffectFaults{CrashKind::kPower, "xfs", 1, 1}));
}

TEST(EffectTally, counts_a_state_once) {
  EffectTally tally;
  tally.begin(CrashKind::kKill, "");
  tally.add({kTwice, kTwice});
  reports::ResultDocument document;
  tally.write("effect charge a\n", {}, document);
  EXPECT_THAT(document.effects[0].faults, ElementsAre(EffectFaults{CrashKind::kKill, "", 1, 0}));
}

TEST(EffectTally, puts_those_at_fault_first_and_counts_the_rest) {
  std::string events;
  for (size_t i = 0; i < reports::kEffectsMax; ++i)
    events += "effect a " + std::to_string(i) + "\n";
  EffectTally tally;
  tally.begin(CrashKind::kKill, "");
  tally.add({kTwice});
  reports::ResultDocument document;
  tally.write(events + "effect charge a\n", {}, document);
  EXPECT_EQ(document.effects.front().effect, "charge a");
  EXPECT_EQ(document.effects.size(), reports::kEffectsMax);
  EXPECT_EQ(document.effects_left_out, 1u);
}

TEST(EffectTally, takes_the_states_of_a_recovery_for_its_own) {
  EffectTally recovery;
  recovery.begin(CrashKind::kKill, "");
  recovery.add({kTwice});
  EffectTally tally;
  tally.begin(CrashKind::kAgain, "");
  tally.absorb(recovery);
  reports::ResultDocument document;
  tally.write("", {}, document);
  EXPECT_THAT(document.effects[0].faults, ElementsAre(EffectFaults{CrashKind::kAgain, "", 1, 0}));
}

}  // namespace
}  // namespace everycrash
