// Every row of every oracle's tables: when it applies, and what it forgives.
#include <gtest/gtest.h>

#include "harness/check/oracles/acknowledged.h"
#include "harness/check/oracles/all_oracles.h"
#include "harness/check/oracles/exactly_once.h"
#include "harness/check/oracles/half_file.h"
#include "harness/check/oracles/no_leftovers.h"
#include "harness/check/oracles/recovery_twice.h"
#include "harness/check/oracles/resume.h"
#include "harness/check/oracles/serial.h"
#include "harness/check/truth_table_for_test.h"

namespace everycrash {
namespace {

using enum Applies;
using enum Circumstance;

/// By default, after undisturbed runs that showed nothing but good.
constexpr Circumstances kAllGood{kByDefault, kRecovered, kRanAgain,       kSucceeded,
                                 kSame,      kEffects,   kStartRecovered, kStartSucceeded,
                                 kStartSame, kPromises,  kStartSameNames};

constexpr Circumstances good_but(Circumstances missing) {
  return kAllGood.without(missing);
}

constexpr Circumstances good_and(Circumstances more) {
  return kAllGood.with(more);
}

using When = std::vector<TruthCase<Circumstance, Applicability>>;

TEST(HalfFileOracle, applies_by_default_and_where_it_is_asked_for) {
  expect_rows(HalfFileOracle().when(), When{{{}, {kNo}}, {{kAsked}, {kYes}}});
}

TEST(AcknowledgedOracle, applies_where_something_was_promised) {
  expect_rows(AcknowledgedOracle().when(), When{{{kPromises}, {kNo}},
                                                {{kByDefault}, {kNo, Unjudged::kNothingPromised}},
                                                {{kAsked, kPromises}, {kYes}}});
}

TEST(RecoveryTwiceOracle, applies_where_recovery_is_given) {
  expect_rows(RecoveryTwiceOracle().when(), When{{{kRecovery}, {kNo}},
                                                 {{kByDefault, kRecovery}, {kYes}},
                                                 {{kAsked}, {kNo, Unjudged::kNoRecovery}},
                                                 {{kByDefault}, {kNo}}});
}

TEST(ResumeOracle, applies_where_more_undisturbed_runs_leave_the_same) {
  const Circumstances in_vain = good_but({kRecovered, kSucceeded, kSame});
  expect_rows(ResumeOracle().when(),
              When{{in_vain.with({kResumeAsked}), {kYes}},
                   {in_vain, {kIfAsked, Unjudged::kRecoveryFails}},
                   {good_but({kSucceeded, kSame}), {kIfAsked, Unjudged::kSecondRunFails}},
                   {good_but({kSame}), {kIfAsked, Unjudged::kSecondRunChanges}},
                   {good_and({kRepeated}), {kIfAsked, Unjudged::kSecondRunRepeats}},
                   {{kEffects}, {kNo}},
                   {{kAsked, kSendsOutside}, {kYes}},
                   {{kByDefault, kSendsOutside}, {kNo, Unjudged::kSendsOutside}},
                   {good_but({kStartRecovered}), {kYes}},
                   {good_but({kStartSucceeded}), {kNo, Unjudged::kFirstRunFails}},
                   {good_but({kStartSameNames, kStartSame}), {kNo, Unjudged::kNamesVary}},
                   {good_but({kStartSame}), {kYes, Unjudged::kContentsVary}},
                   {kAllGood, {kYes}}});
}

TEST(NoLeftoversOracle, applies_where_the_next_run_can_be_compared) {
  expect_rows(NoLeftoversOracle().when(),
              When{{{kResumeAsked}, {kNo}},
                   {good_but({kSucceeded}).with({kResumeAsked}), {kYes}},
                   {{kAsked, kRanAgain}, {kYes}},
                   {{kByDefault, kSendsOutside}, {kNo}},
                   {good_but({kSucceeded, kSame}), {kNo}},
                   {good_but({kSame}), {kNo}},
                   {good_and({kRepeated}), {kNo}},
                   {{kByDefault}, {kYes}},
                   {good_but({kStartSucceeded}), {kNo}},
                   {good_but({kStartSameNames}), {kNo}},
                   {good_but({kStartSame}), {kYes}}});
}

TEST(ExactlyOnceOracle, applies_where_effects_are_not_of_each_run) {
  expect_rows(
      ExactlyOnceOracle().when(),
      When{{{kResumeAsked, kEffects}, {kNo}},
           {{kAsked}, {kNo, Unjudged::kNoEffects}},
           {{kByDefault, kEffectRules}, {kNo, Unjudged::kNoEffects}},
           {{kByDefault}, {kNo}},
           {{kAsked, kEffects, kRanAgain, kRepeated}, {kYes}},
           {{kByDefault, kEffects, kSendsOutside}, {kNo}},
           {good_but({kSucceeded}), {kNo}},
           {good_but({kStartSucceeded}), {kNo}},
           {good_and({kRepeated, kRepeatedAll}), {kNo, Unjudged::kEffectOfEachRun}},
           {good_and({kRepeated, kSendsOutside, kResumeAsked}), {kYes, Unjudged::kEffectOfEachRun}},
           {good_but({kSame}), {kYes}}});
}

TEST(HalfFileOracle, forgives_what_does_no_harm) {
  using F = HalfFileFact;
  expect_rows(kHalfFileForgives, std::vector<TruthCase<HalfFileFact, bool>>{
                                     {{F::kIgnored, F::kAsked}, true},
                                     {{F::kOriginalWhole, F::kAsked}, true},
                                     {{F::kMadeWhole}, false},
                                     {{F::kNeverFinished, F::kMadeWhole, F::kAsked}, true},
                                     {{F::kNeverFinished, F::kNextRunTells}, false},
                                     {{F::kNeverFinished, F::kAsked}, false},
                                     {{F::kNeverFinished}, true}});
}

TEST(AcknowledgedOracle, forgives_spare_copies_and_what_is_ignored) {
  using F = PromiseFact;
  expect_rows(kBrokenPromiseForgives,
              std::vector<TruthCase<PromiseFact, bool>>{
                  {{F::kIgnored}, true}, {{F::kOriginalWhole}, true}, {{}, false}});
}

TEST(ResumeOracle, forgives_what_undisturbed_runs_leave_differently) {
  using F = ResumeFact;
  using enum ResumeVerdict;
  expect_rows(kResumeForgives,
              std::vector<TruthCase<ResumeFact, ResumeVerdict>>{
                  {{F::kAsked}, kHeld},
                  {{F::kContent, F::kVaries, F::kRewritten, F::kAsked}, kForgiven},
                  {{F::kContent, F::kVaries, F::kAsCrashedRun}, kForgiven},
                  {{F::kContent, F::kVaries, F::kAsFinishedRun, F::kUpdatedInPlace}, kForgiven},
                  {{F::kContent, F::kVaries, F::kUpdatedInPlace}, kOtherLayout},
                  {{F::kContent, F::kUpdatedInPlace, F::kAsked, F::kRewritten}, kHeld}});
}

TEST(NoLeftoversOracle, forgives_temporary_files_unless_it_is_asked) {
  using F = LeftoverFact;
  expect_rows(kLeftoverForgives,
              std::vector<TruthCase<LeftoverFact, bool>>{
                  {{}, false}, {{F::kTemporary, F::kAsked}, false}, {{F::kTemporary}, true}});
}

TEST(ExactlyOnceOracle, forgives_what_the_receiver_can_bear) {
  using F = EffectFact;
  expect_rows(kEffectForgives,
              std::vector<TruthCase<EffectFact, bool>>{{{F::kTwice, F::kRepeatable}, true},
                                                       {{F::kTwice, F::kAtLeastOnce}, true},
                                                       {{F::kTwice, F::kAtMostOnce}, false},
                                                       {{F::kAtMostOnce}, true},
                                                       {{F::kAtLeastOnce, F::kRepeatable}, false}});
}

TEST(SerialOracle, compares_files_that_are_whole_and_the_same_each_time) {
  using F = SerialFileFact;
  expect_rows(kSerialApplies,
              std::vector<TruthCase<SerialFileFact, SerialFile>>{
                  {{F::kIgnored, F::kWhole, F::kSameEachTime}, SerialFile::kLeftOut},
                  {{F::kSameEachTime}, SerialFile::kLeftOut},
                  {{F::kWhole}, SerialFile::kVarying},
                  {{F::kWhole, F::kSameEachTime}, SerialFile::kJudged}});
}

TEST(SerialOracle, forgives_what_some_order_of_those_leaves_who_were_not_refused) {
  using F = SerialFact;
  using enum SerialVerdict;
  expect_rows(kSerialForgives, std::vector<TruthCase<SerialFact, SerialVerdict>>{
                                   {{F::kAsBoth, F::kHalfway}, kFine},
                                   {{F::kAsOneAlone, F::kRefused, F::kChangedByBoth}, kFine},
                                   {{F::kAsOneAlone}, kFine},
                                   {{F::kRefused, F::kOnTheWay, F::kHalfway}, kFine},
                                   {{F::kHalfway, F::kAsOneAlone, F::kChangedByBoth}, kNotMeasured},
                                   {{F::kHalfway, F::kSpoilt}, kHeld}});
}

TEST(Oracles, are_known_by_their_names) {
  for (const Oracle* oracle : all_oracles())
    EXPECT_EQ(oracle_named(name_of(oracle->name())), oracle->name());
  EXPECT_EQ(oracle_named("half-file"), Judge::kHalfFile);
  EXPECT_EQ(oracle_named("no leftovers"), Judge::kNoLeftovers);
  EXPECT_EQ(oracle_named("checker"), std::nullopt);
}

}  // namespace
}  // namespace everycrash
