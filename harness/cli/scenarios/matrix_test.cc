#include "harness/cli/scenarios/matrix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace everycrash::cli {
namespace {

using State = MatrixCell::State;
using testing::HasSubstr;
using testing::Not;

const MatrixColumn kKill{"k", "kill", "the process is killed", {"--crash", "kill"}, ""};
const MatrixColumn kClock{"t", "clock", "the clock is wrong", {}, "the clock is not set yet"};

MatrixCell cell(State state, bool expected) {
  MatrixCell made;
  made.state = state;
  made.expected = expected;
  return made;
}

MatrixRow reference(std::vector<MatrixCell> cells) {
  return {"job", "", "", {}, std::move(cells), {}};
}

MatrixRow mistake(std::vector<MatrixCell> cells) {
  return {"job", "no-fsync", "renames without fsync", {}, std::move(cells), {}};
}

MatrixFinding finding(std::string complaint, std::vector<std::string> models = {}) {
  return {"title", std::move(complaint), std::move(models)};
}

TEST(MatrixVerdict, OfAMistakeThatIsFoundWhereExpectedIsGood) {
  const MatrixRow row = mistake({cell(State::kFound, true)});
  EXPECT_EQ(verdict_of(row, row.cells[0]), CellVerdict::kGood);
  EXPECT_EQ(verdict_of({{kKill}, {row}}, row), "ok");
}

TEST(MatrixVerdict, OfAMistakeThatIsNotFoundWhereExpectedIsMissed) {
  const MatrixRow row = mistake({cell(State::kClean, true)});
  EXPECT_EQ(verdict_of({{kKill}, {row}}, row), "MISSED under kill");
}

TEST(MatrixVerdict, OfAFindingThatDoesNotSayWhatIsWrongIsWrong) {
  const MatrixRow row = mistake({cell(State::kFoundElse, true)});
  EXPECT_EQ(verdict_of({{kKill}, {row}}, row), "UNNAMED under kill");
}

TEST(MatrixVerdict, OfAColumnThatWasNotRunIsNeverGood) {
  const MatrixRow row = mistake({cell(State::kFound, true), cell(State::kNotRun, true)});
  EXPECT_EQ(verdict_of(row, row.cells[1]), CellVerdict::kNotRun);
  EXPECT_EQ(verdict_of({{kKill, kClock}, {row}}, row), "not run: clock");
}

TEST(MatrixVerdict, OfARunThatBrokeIsWrongEvenWhereNothingIsExpected) {
  const MatrixRow row = mistake({cell(State::kNoVerdict, false)});
  EXPECT_EQ(verdict_of(row, row.cells[0]), CellVerdict::kWrong);
}

TEST(MatrixVerdict, OfAMistakeThatIsFoundElsewhereTooIsNotWrong) {
  const MatrixRow row = mistake({cell(State::kFound, false)});
  EXPECT_EQ(verdict_of(row, row.cells[0]), CellVerdict::kAlso);
  EXPECT_EQ(verdict_of({{kKill}, {row}}, row), "ok");
}

TEST(MatrixVerdict, OfAReferenceThatIsFoundIsAccused) {
  const MatrixRow row = reference({cell(State::kFound, false)});
  EXPECT_EQ(verdict_of({{kKill}, {row}}, row), "ACCUSED under kill");
}

TEST(MatrixVerdict, OfAReferenceInAColumnThatWasNotRunIsNotKnown) {
  const MatrixRow row = reference({cell(State::kNotRun, false)});
  EXPECT_EQ(verdict_of(row, row.cells[0]), CellVerdict::kNotRun);
}

TEST(MatrixVerdict, OfAReferenceThatSurvivesWhatNoProgramCanIsWrong) {
  const MatrixRow row = reference({cell(State::kClean, true)});
  EXPECT_EQ(verdict_of(row, row.cells[0]), CellVerdict::kWrong);
  const MatrixRow lost = reference({cell(State::kFound, true)});
  EXPECT_EQ(verdict_of(lost, lost.cells[0]), CellVerdict::kGood);
}

TEST(FoundState, NeedsAFindingWithOneOfTheSigns) {
  const std::vector<std::string> signs = {"never sent", "twice"};
  EXPECT_EQ(found_state({}, signs, {}), State::kClean);
  EXPECT_EQ(found_state({finding("was sent twice")}, signs, {}), State::kFound);
  EXPECT_EQ(found_state({finding("did not end")}, signs, {}), State::kFoundElse);
  EXPECT_EQ(found_state({finding("did not end"), finding("never sent")}, signs, {}), State::kFound);
}

TEST(FoundState, WithoutSignsTakesAnyFinding) {
  EXPECT_EQ(found_state({finding("did not end")}, {}, {}), State::kFound);
}

TEST(FoundState, CountsOnlyTheModelsThatAreExpected) {
  EXPECT_EQ(found_state({finding("x", {"posix", "xfs"})}, {}, {"xfs", "btrfs"}), State::kFound);
  EXPECT_EQ(found_state({finding("x", {"posix"})}, {}, {"xfs"}), State::kClean);
}

TEST(MatrixScore, CountsOnlyWhatWasFoundEverywhere) {
  const MatrixRow found = mistake({cell(State::kFound, true), cell(State::kNotRun, false)});
  const MatrixRow missed = mistake({cell(State::kClean, true), cell(State::kNotRun, false)});
  const MatrixRow waiting = mistake({cell(State::kFound, true), cell(State::kNotRun, true)});
  const MatrixRow both = mistake({cell(State::kClean, true), cell(State::kNotRun, true)});
  const MatrixScore score = score_of({{kKill, kClock}, {found, missed, waiting, both}});
  EXPECT_EQ(score.mistakes, 4U);
  EXPECT_EQ(score.found, 1U);
  EXPECT_EQ(score.missed, 2U);
  EXPECT_EQ(score.waiting, 1U);
  EXPECT_EQ(score.percent(), 25);
}

TEST(MatrixScore, DoesNotCountWhatMustBeFoundInAColumnThatIsNotShown) {
  MatrixRow row = mistake({cell(State::kFound, true)});
  row.left_out = {"clock"};
  EXPECT_EQ(verdict_of({{kKill}, {row}}, row), "not run: clock");
  EXPECT_EQ(score_of({{kKill}, {row}}).found, 0U);
  EXPECT_EQ(score_of({{kKill}, {row}}).waiting, 1U);
}

TEST(MatrixCellRuns, SeeNoVariableThatGivesAnOption) {
  const std::vector<std::string> kept = variables_kept_from_cells();
  for (const char* const name :
       {"EVERYCRASH_CRASH", "EVERYCRASH_FAIL_ON", "EVERYCRASH_BASELINE", "EVERYCRASH_IGNORE",
        "EVERYCRASH_FS", "EVERYCRASH_DEPTH", "EVERYCRASH_TEAR", "EVERYCRASH_BUDGET",
        "EVERYCRASH_SHARD", "EVERYCRASH_MAX_STATES", "EVERYCRASH_ON", "TEST_TOTAL_SHARDS"}) {
    EXPECT_THAT(kept, testing::Contains(name));
  }
  EXPECT_THAT(kept, Not(testing::Contains("EVERYCRASH_SCENARIOS")));
}

TEST(MatrixCellRuns, TogetherAreFoundOnceOneHasFoundIt) {
  MatrixCell all = cell(State::kNotAsked, true);
  add_run(cell(State::kClean, true), all);
  EXPECT_EQ(all.state, State::kClean);
  add_run(cell(State::kFound, true), all);
  add_run(cell(State::kClean, true), all);
  EXPECT_EQ(all.state, State::kFound);
}

TEST(MatrixCellRuns, TogetherAreNotCleanIfOneHasNoVerdict) {
  MatrixCell all = cell(State::kClean, false);
  add_run(cell(State::kNoVerdict, false), all);
  EXPECT_EQ(all.state, State::kNoVerdict);
}

TEST(MatrixScore, CountsReferencesApart) {
  const MatrixScore score = score_of(
      {{kKill},
       {reference({cell(State::kClean, false)}), reference({cell(State::kFound, false)})}});
  EXPECT_EQ(score.mistakes, 0U);
  EXPECT_EQ(score.percent(), 0);
  EXPECT_EQ(score.references, 2U);
  EXPECT_EQ(score.accused, 1U);
}

TEST(MatrixText, TellsHowManyStatesNobodyCouldJudge) {
  MatrixRow row = reference({cell(State::kClean, false)});
  row.cells[0].not_measured = 3;
  EXPECT_THAT(matrix_text({{kKill}, {row}}, false),
              HasSubstr("job reference under kill: 3 states not measured"));
}

TEST(MatrixText, TellsWhichColumnsWereNotRunAndWhy) {
  const std::string text = matrix_text({{kKill, kClock}, {}}, false);
  EXPECT_THAT(text, HasSubstr("not run: the clock is not set yet"));
}

TEST(MatrixText, TellsWhatWasFoundInsteadOfTheMistake) {
  MatrixRow row = mistake({cell(State::kFoundElse, true)});
  row.cells[0].findings.push_back(finding("the job did not end"));
  EXPECT_THAT(matrix_text({{kKill}, {row}}, false), HasSubstr("title: the job did not end"));
  row.cells[0].state = State::kFound;
  EXPECT_THAT(matrix_text({{kKill}, {row}}, false), Not(HasSubstr("did not end")));
}

TEST(MatrixJson, HoldsEachCellWithItsExpectation) {
  const std::string json = matrix_json({{kKill}, {mistake({cell(State::kClean, true)})}});
  EXPECT_THAT(json, HasSubstr("\"schema\": \"everycrash-matrix/1\""));
  EXPECT_THAT(json, HasSubstr("\"expected\": true"));
  EXPECT_THAT(json, HasSubstr("\"outcome\": \"clean\""));
  EXPECT_THAT(json, HasSubstr("\"verdict\": \"not as expected\""));
  EXPECT_THAT(json, HasSubstr("\"missed\": 1"));
}

TEST(Expectation, reads_back_what_scenarios_list) {
  for (const char* const text : {"kill", "power:xfs", "power:posix+xfs"}) {
    EXPECT_EQ(text_of(parse_expectation(text)), text);
  }
  EXPECT_EQ(parse_expectation("power:posix+xfs").crash, "power");
  EXPECT_EQ(parse_expectation("power:posix+xfs").models,
            (std::vector<std::string>{"posix", "xfs"}));
}

}  // namespace
}  // namespace everycrash::cli
