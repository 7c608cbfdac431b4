// The rules of exit statuses, a row each: what a run has seen and what was asked, and what comes of
// it.

#include "harness/cli/conclude.h"

#include <gtest/gtest.h>

#include <ostream>

#include "harness/base/exit_status.h"

namespace everycrash::cli {
namespace {

using reports::Coverage;
using reports::Outcome;

/// What a run has seen.
struct Seen {
  uint64_t survived = 0;
  uint64_t violated = 0;
  uint64_t not_measured = 0;
  uint64_t skipped = 0;  ///< by the budget
  bool exhaustive = true;
  size_t findings = 0;
  size_t waived = 0;  ///< of these, by a baseline
  bool interrupted = false;
};

struct Row {
  const char* name;
  Seen seen;
  ConclusionRules rules;
  Outcome outcome;
  int exit_code;
  const char* reason = "";  ///< begins with this
};
void PrintTo(const Row& row, std::ostream* out) {
  *out << row.name;
}

constexpr const char* kNothingJudged = "not one crash state could be judged";
constexpr const char* kIncomplete = "--require-complete: not everything was covered";
constexpr const char* kStrict = "--strict: some crash states were not judged";
constexpr const char* kNoneHere = "no crash state belongs to this shard";

const Row kRows[] = {
    // What was found.
    {"all_survive", {.survived = 5}, {}, Outcome::kSurvived, kExitGood},
    {"a_finding",
     {.survived = 4, .violated = 1, .findings = 1},
     {},
     Outcome::kViolated,
     kExitFinding},
    {"a_finding_where_all_fails",
     {.violated = 5, .findings = 1},
     {},
     Outcome::kViolated,
     kExitFinding},
    {"a_waived_finding_is_seen_and_fails_nothing",
     {.survived = 4, .violated = 1, .findings = 1, .waived = 1},
     {},
     Outcome::kViolated,
     kExitGood},
    {"one_of_two_findings_is_waived",
     {.survived = 4, .violated = 2, .findings = 2, .waived = 1},
     {},
     Outcome::kViolated,
     kExitFinding},
    {"all_fails_for_what_is_waived",
     {.violated = 5, .findings = 1, .waived = 1},
     {},
     Outcome::kViolated,
     kExitGood},

    // What was not judged.
    {"nothing_was_judged",
     {.not_measured = 3},
     {},
     Outcome::kNotMeasured,
     kExitNoVerdict,
     kNothingJudged},
    {"the_time_was_over_at_once",
     {.skipped = 3, .exhaustive = false},
     {},
     Outcome::kNotMeasured,
     kExitNoVerdict,
     kNothingJudged},
    {"some_were_not_judged", {.survived = 3, .not_measured = 1}, {}, Outcome::kSurvived, kExitGood},
    {"some_were_left_out",
     {.survived = 3, .skipped = 1, .exhaustive = false},
     {},
     Outcome::kSurvived,
     kExitGood},

    // --strict: what was not judged is a failure.
    {"strict_and_all_judged", {.survived = 3}, {.strict = true}, Outcome::kSurvived, kExitGood},
    {"strict_and_some_not_measured",
     {.survived = 3, .not_measured = 1},
     {.strict = true},
     Outcome::kNotMeasured,
     kExitFinding,
     kStrict},
    {"strict_and_some_left_out",
     {.survived = 3, .skipped = 1, .exhaustive = false},
     {.strict = true},
     Outcome::kNotMeasured,
     kExitFinding,
     kStrict},
    {"strict_beats_require_complete",
     {.survived = 3, .skipped = 1, .exhaustive = false},
     {.strict = true, .require_complete = true},
     Outcome::kNotMeasured,
     kExitFinding,
     kStrict},

    // --require-complete, only where nothing worse is known: 1 beats 3 beats 5.
    {"complete", {.survived = 3}, {.require_complete = true}, Outcome::kSurvived, kExitGood},
    {"incomplete",
     {.survived = 3, .exhaustive = false},
     {.require_complete = true},
     Outcome::kSurvived,
     kExitIncomplete,
     kIncomplete},
    {"complete_but_not_measured",
     {.survived = 3, .not_measured = 1},
     {.require_complete = true},
     Outcome::kSurvived,
     kExitIncomplete,
     kIncomplete},
    {"a_finding_beats_incomplete",
     {.survived = 3, .violated = 1, .exhaustive = false, .findings = 1},
     {.require_complete = true},
     Outcome::kViolated,
     kExitFinding},
    {"no_verdict_beats_incomplete",
     {.not_measured = 3, .exhaustive = false},
     {.require_complete = true},
     Outcome::kNotMeasured,
     kExitNoVerdict,
     kNothingJudged},
    {"a_finding_beats_no_verdict",
     {.not_measured = 3, .exhaustive = false, .findings = 1},
     {},
     Outcome::kViolated,
     kExitFinding},

    // Shards: one may have nothing to do.
    {"shard_without_states", {}, {.is_shard = true}, Outcome::kNothing, kExitGood, kNoneHere},
    {"shard_whose_time_was_over",
     {.skipped = 3, .exhaustive = false},
     {.is_shard = true, .has_budget = true},
     Outcome::kNotMeasured,
     kExitNoVerdict,
     kNothingJudged},
    {"whole_without_states", {}, {}, Outcome::kNotMeasured, kExitNoVerdict, kNothingJudged},

    // --expect finding: only a run with a finding is good.
    {"expected_and_found",
     {.survived = 3, .violated = 1, .findings = 1},
     {.expects_finding = true},
     Outcome::kViolated,
     kExitGood},
    {"expected_and_not_found",
     {.survived = 3},
     {.expects_finding = true},
     Outcome::kSurvived,
     kExitNoVerdict},

    // An interrupt beats all.
    {"interrupted",
     {.survived = 3, .skipped = 1, .exhaustive = false, .interrupted = true},
     {},
     Outcome::kSurvived,
     kExitInterrupted},
    {"interrupted_with_a_finding",
     {.survived = 3, .violated = 1, .findings = 1, .interrupted = true},
     {},
     Outcome::kViolated,
     kExitInterrupted},
    {"interrupted_and_expected",
     {.survived = 3, .violated = 1, .findings = 1, .interrupted = true},
     {.expects_finding = true},
     Outcome::kViolated,
     kExitInterrupted},
};

Coverage row_of(const Seen& seen) {
  const uint64_t checked = seen.survived + seen.violated + seen.not_measured;
  return {.considered = checked + seen.skipped,
          .checked = checked,
          .survived = seen.survived,
          .violated = seen.violated,
          .not_measured = seen.not_measured,
          .skipped_by_budget = seen.skipped,
          .exhaustive = seen.exhaustive};
}

class Conclude : public testing::TestWithParam<Row> {};

TEST_P(Conclude, by_the_rules) {
  const Row& row = GetParam();
  reports::ResultDocument document;
  document.coverage.push_back(row_of(row.seen));
  document.findings.resize(row.seen.findings);
  for (size_t i = 0; i < row.seen.waived; ++i)
    document.findings[i].waived = "known: in the baseline";
  document.interrupted = row.seen.interrupted;
  conclude(row.rules, document);
  EXPECT_EQ(document.outcome, row.outcome) << reports::name_of(document.outcome);
  EXPECT_EQ(document.exit_code, row.exit_code);
  EXPECT_EQ(document.reason, row.reason);
}

INSTANTIATE_TEST_SUITE_P(Rules, Conclude, testing::ValuesIn(kRows),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Conclude, names_what_was_asked_for_and_not_looked_at) {
  reports::ResultDocument document;
  document.coverage.push_back(row_of({.survived = 3}));
  document.coverage.push_back(row_of({.skipped = 4, .exhaustive = false}));
  document.coverage.back().crash = CrashKind::kPower;
  document.coverage.back().model = "xfs";
  conclude({}, document);
  EXPECT_EQ(document.exit_code, kExitNoVerdict);
  EXPECT_EQ(document.reason, "no crash state was judged for power xfs; allow more time (--budget)");
  conclude({.is_shard = true}, document);
  EXPECT_EQ(document.exit_code, kExitGood) << "another shard may have looked at it";
}

TEST(Conclude, says_where_there_is_no_sync_that_could_be_lost) {
  reports::ResultDocument document;
  document.coverage.push_back({.crash = CrashKind::kLostFsync, .model = "ext4"});
  conclude({}, document);
  EXPECT_EQ(document.exit_code, kExitNoVerdict);
  EXPECT_TRUE(document.reason.starts_with("the workload makes no sync that could be lost"));
}

}  // namespace
}  // namespace everycrash::cli
