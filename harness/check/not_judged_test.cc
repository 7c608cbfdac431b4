#include "harness/check/not_judged.h"

#include <gtest/gtest.h>

namespace everycrash {
namespace {

TEST(NotJudged, says_how_a_file_is_written_and_what_would_judge_it) {
  const NotJudged fact{.why = Unjudged::kWrittenSo, .names = {"app.log"}, .flaw = Flaw::kAppended};
  EXPECT_EQ(describe(fact), "app.log is appended to; give a checker");
  EXPECT_EQ(remedy_of(fact.why), Remedy::kChecker);
}

TEST(NotJudged, counts_what_it_does_not_name) {
  EXPECT_EQ(describe({.why = Unjudged::kMoreWrittenSo, .count = 7}), "and 7 more files like these");
  EXPECT_EQ(describe({.why = Unjudged::kSpareCopies, .names = {"a~", "b~", "c~", "d~", "e~"}}),
            "spare copies (a~, b~, c~ and 2 more) while the file itself is whole; give a checker "
            "if they matter");
  EXPECT_EQ(describe({.why = Unjudged::kEffectOfEachRun, .names = {"a 1", "b 2", "c 3", "d 4"}}),
            "exactly once of a 1, b 2, c 3, 1 more: a second run does that again, also without a "
            "crash; give --oracle exactly-once if it must not");
}

TEST(NotJudged, says_why_nothing_is_run_again) {
  EXPECT_EQ(describe({.why = Unjudged::kSendsOutside}),
            "resume: the workload sends to other machines, and would do so again for each crash "
            "state; give --resume if it may");
  EXPECT_EQ(describe({.why = Unjudged::kSecondRunRepeats}),
            "resume: a second run has the same effects again; give --resume if the workload is "
            "meant to go on after a crash");
}

TEST(NotJudged, leaves_it_at_that_where_nothing_helps) {
  EXPECT_EQ(describe({.why = Unjudged::kNoEffects}), "exactly once: the workload had no effects");
  EXPECT_EQ(describe({.why = Unjudged::kNothingPromised}), "acknowledged: nothing was promised");
  EXPECT_EQ(
      describe({.why = Unjudged::kNotCounted, .names = {"127.0.0.1:25"}, .count = 2}),
      "effects: 2 messages to 127.0.0.1:25, not HTTP; --effect-peer '127.0.0.1:25' makes each "
      "an effect");
  EXPECT_NE(describe({.why = Unjudged::kEncrypted, .names = {"10.0.0.1:443"}}).find("encrypted"),
            std::string::npos);
}

TEST(NotJudged, tells_what_else_would_judge_leftovers_and_keys) {
  EXPECT_EQ(describe({.why = Unjudged::kTemporaryLeftovers, .names = {"f.tmp"}}),
            "no leftovers of temporary files (f.tmp): give --resume or --oracle no-leftovers if "
            "the next run is meant to clear them away");
  EXPECT_EQ(describe({.why = Unjudged::kAssumedKeys}),
            "whether the receiver knows an Idempotency-Key again: requests that have one may be "
            "repeated; --sink has a receiver that shows it");
}

}  // namespace
}  // namespace everycrash
