#include "harness/check/oracles/exactly_once.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/trace/recording_for_test.h"

namespace everycrash {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> effect_faults(std::string_view undisturbed, std::string_view before,
                                       std::string_view after,
                                       Occurrence right = Occurrence::kExactlyOnce,
                                       const HabitualEffects& habitual = {}) {
  std::vector<std::string> messages;
  for (const Complaint& complaint :
       find_effect_faults({undisturbed, before, after}, right, habitual)) {
    messages.push_back(complaint.message);
  }
  return messages;
}

TEST(ExactlyOnce, accepts_effects_that_are_shared_between_crash_and_restart) {
  EXPECT_THAT(
      effect_faults("effect mail a\neffect mail b\n", "effect mail a\nstep x\n", "effect mail b\n"),
      IsEmpty());
}

TEST(ExactlyOnce, names_an_effect_that_happens_twice) {
  EXPECT_THAT(
      effect_faults("effect mail a\n", "effect mail a\n", "effect mail a again\n"),
      ElementsAre("duplicate: mail a happens twice over crash and restart, undisturbed once"));
}

TEST(ExactlyOnce, names_an_effect_that_never_happens) {
  EXPECT_THAT(effect_faults("effect mail a\neffect mail b\n", "effect mail a\n", ""),
              ElementsAre(HasSubstr("loss: mail b never happens")));
}

TEST(ExactlyOnce, accepts_other_keys_in_the_same_number) {
  EXPECT_THAT(effect_faults("effect mail 1\neffect mail 2\n", "effect mail 1\n", "effect mail 9\n"),
              IsEmpty());
}

TEST(ExactlyOnce, names_an_effect_that_is_repeated_under_another_key) {
  EXPECT_THAT(effect_faults("effect mail 1\n", "effect mail 1\n", "effect mail 9\n"),
              ElementsAre(HasSubstr("mail happens twice over crash and restart")));
}

TEST(ExactlyOnce, accepts_repeats_of_what_is_repeatable) {
  EXPECT_THAT(effect_faults("effect PUT/a k repeatable\n", "effect PUT/a k repeatable\n",
                            "effect PUT/a k repeatable\n"),
              IsEmpty());
}

TEST(ExactlyOnce, misses_what_is_repeatable_where_it_never_happens) {
  EXPECT_THAT(effect_faults("effect PUT/a k repeatable\n", "", ""),
              ElementsAre(HasSubstr("loss: PUT/a k")));
}

TEST(AtLeastOnce, accepts_duplicates_and_no_losses) {
  EXPECT_THAT(effect_faults("effect mail a\n", "effect mail a\n", "effect mail a\n",
                            Occurrence::kAtLeastOnce),
              IsEmpty());
  EXPECT_THAT(effect_faults("effect mail a\n", "", "", Occurrence::kAtLeastOnce),
              ElementsAre(HasSubstr("loss")));
}

TEST(AtMostOnce, accepts_losses_and_no_duplicates) {
  EXPECT_THAT(effect_faults("effect mail a\n", "", "", Occurrence::kAtMostOnce), IsEmpty());
  EXPECT_THAT(effect_faults("effect mail a\n", "effect mail a\n", "effect mail a\n",
                            Occurrence::kAtMostOnce),
              ElementsAre(HasSubstr("duplicate")));
}

TEST(ExactlyOnce, does_not_judge_what_each_run_does) {
  const HabitualEffects habitual("effect login x\neffect mail a\n", "effect login x\n");
  EXPECT_THAT(effect_faults("effect login x\neffect mail a\n", "effect login x\neffect mail a\n",
                            "effect login x\neffect mail a\n", Occurrence::kExactlyOnce, habitual),
              ElementsAre(HasSubstr("mail a")));
  EXPECT_THAT(habitual.names(), ElementsAre("login x"));
}

TEST(HabitualEffects, leave_out_repeats_that_do_no_harm) {
  EXPECT_TRUE(
      HabitualEffects("effect PUT/a k repeatable\n", "effect PUT/a k repeatable\n").empty());
}

TEST(HabitualEffects, of_random_keys_are_all_of_their_kind) {
  const HabitualEffects habitual("effect ping 1\n", "effect ping 2\n");
  EXPECT_TRUE(habitual.contains("ping", "3"));
}

TEST(Occurrence, is_named_and_found_by_its_name) {
  for (const Occurrence right :
       {Occurrence::kExactlyOnce, Occurrence::kAtLeastOnce, Occurrence::kAtMostOnce}) {
    EXPECT_EQ(occurrence_named(name_of(right)), right) << name_of(right);
  }
}

TEST(EffectFault, tells_duplicates_from_losses) {
  EXPECT_EQ(effect_fault_of({.wrong = Wrong::kLostEffect}), EffectFault::kLoss);
  EXPECT_EQ(effect_fault_of({.wrong = Wrong::kDuplicateEffect}), EffectFault::kDuplicate);
  EXPECT_EQ(effect_fault_of({.judge = Judge::kExactlyOnce, .wrong = Wrong::kUnseenEffects}),
            EffectFault::kNone);
}

/// A tree with the files PATHS.
FileSystem tree_with(const std::vector<std::string>& paths) {
  Recording recording;
  uint64_t inode = 2;
  for (const std::string& path : paths) recording.create(path, inode++);
  const Trace trace = recording.finish();
  FileSystem tree;
  for (const Operation& record : trace.records()) {
    if (!is_operation(record.kind)) continue;
    EXPECT_TRUE(tree.apply(record));
  }
  return tree;
}

FoundEffects outbox_effect(uint64_t gone = ~uint64_t{0}) {
  FoundEffects found;
  found.effects.push_back({4, "effect outbox a", "a.mail", gone});
  return found;
}

constexpr std::string_view kMailed = "effect outbox a\nstep x\n";

TEST(ExactlyOnce, takes_back_a_file_that_the_crash_has_lost) {
  EXPECT_EQ(without_lost_files(kMailed, outbox_effect(), 6, tree_with({"b.mail"})), "step x\n");
}

TEST(ExactlyOnce, leaves_a_file_that_is_there) {
  EXPECT_EQ(without_lost_files(kMailed, outbox_effect(), 6, tree_with({"a.mail"})), kMailed);
}

TEST(ExactlyOnce, leaves_a_file_that_the_run_itself_took_away) {
  EXPECT_EQ(without_lost_files(kMailed, outbox_effect(5), 6, tree_with({})), kMailed);
}

TEST(ExactlyOnce, leaves_effects_that_are_no_files) {
  FoundEffects found;
  found.effects.push_back({4, "effect outbox a", "", ~uint64_t{0}});
  EXPECT_EQ(without_lost_files(kMailed, found, 6, tree_with({})), kMailed);
}

}  // namespace
}  // namespace everycrash
