// What `everycrash scenario run --all --matrix` finds out: each mistake of each scenario under each
// crash kind, against what is expected. Pure values and functions, thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cli/scenarios/scenarios.h"

namespace everycrash::cli {

/// One crash kind.
struct MatrixColumn {
  std::string letter;  ///< "k"
  std::string name;    ///< "kill", as breaks name what must find them
  std::string what;    ///< for a reader: "the process is killed"
  /// What `everycrash test` is asked for; empty: it does not know that, and `not_run` says so.
  std::vector<std::string> options;
  std::string not_run;
  /// Asked for, for mistakes only: the likeliest states come first and show them; a mistake may
  /// leave so many states that not all can be looked at.
  std::vector<std::string> of_mistakes;
  /// A mistake is run with --fail-fast first: each state costs runs of the workload. Only where
  /// what that finds is not what is wrong, all is looked at.
  bool fail_fast_first = false;
};

/// All of them, in the order of the table.
[[nodiscard]] const std::vector<MatrixColumn>& matrix_columns();

struct MatrixFinding {
  std::string title;
  std::string complaint;  ///< what the checker said
  std::vector<std::string> models;
  bool operator==(const MatrixFinding&) const = default;
};

/// One program under one crash kind.
struct MatrixCell {
  enum class State : uint8_t {
    kNotRun,     ///< it cannot be run, by this everycrash or on this machine
    kNotAsked,   ///< nothing is expected, and the quick matrix leaves it out
    kNoVerdict,  ///< it was run, and broke; `trouble` says how
    kClean,      ///< nothing was found
    kFound,      ///< what is wrong was found
    kFoundElse,  ///< something was found, but no finding says what is wrong
  } state = State::kNotRun;
  /// Of a mistake: it must be found here. Of a reference: no program can survive this, so that
  /// "nothing found" would mean that nothing was looked at.
  bool expected = false;
  uint64_t states = 0;        ///< judged
  uint64_t not_measured = 0;  ///< looked at, and not judged
  std::vector<MatrixFinding> findings;
  std::string trouble;
};

struct MatrixRow {
  std::string scenario;
  std::string name;  ///< of the mistake; "" = the reference
  std::string mistake;
  std::vector<std::string> signs;  ///< words of which a finding must have some; none = any finding
  std::vector<MatrixCell> cells;   ///< one a column
  std::vector<std::string> left_out;  ///< where it must be found too, but that column is not shown
};

struct Matrix {
  std::vector<MatrixColumn> columns;
  std::vector<MatrixRow> rows;
  bool quick = false;
};

/// What is to be said of a cell in the table.
enum class CellVerdict : uint8_t {
  kGood,     ///< as expected
  kAlso,     ///< found where it need not be found
  kWrong,    ///< missed, not named, accused, or without a verdict
  kNotRun,   ///< expected, and the column cannot be run: never good
  kNothing,  ///< nothing expected, nothing run
};
[[nodiscard]] CellVerdict verdict_of(const MatrixRow& row, const MatrixCell& cell);
/// "found", "MISSED", "ACCUSED", "?".
[[nodiscard]] std::string_view word_for(const MatrixRow& row, const MatrixCell& cell);
/// "ok", "MISSED under power", "not run: concurrent clock".
[[nodiscard]] std::string verdict_of(const Matrix& matrix, const MatrixRow& row);

/// How good the tests of everycrash are at finding mistakes.
struct MatrixScore {
  size_t mistakes = 0;
  size_t found = 0;       ///< in every column in which they must be, all of them run
  size_t missed = 0;      ///< in some column
  size_t waiting = 0;     ///< not missed anywhere, but some column was not run
  size_t references = 0;  ///< and of these, where a column run gave what it must not
  size_t accused = 0;
  [[nodiscard]] int percent() const;  ///< of mistakes, found
};
[[nodiscard]] MatrixScore score_of(const Matrix& matrix);

/// Adds what one more run of the same program under the same crash kind has shown.
void add_run(const MatrixCell& run, MatrixCell& cell);

/// A cell for what is in a break's expectation: whether FINDINGS has what the row looks for, under
/// one of MODELS (empty = any).
[[nodiscard]] MatrixCell::State found_state(const std::vector<MatrixFinding>& findings,
                                            const std::vector<std::string>& signs,
                                            const std::vector<std::string>& models);

/// The table for a terminal, in colour or not; and as JSON, schema "everycrash-matrix/1".
[[nodiscard]] std::string matrix_text(const Matrix& matrix, bool colour);
[[nodiscard]] std::string matrix_json(const Matrix& matrix);

/// What a user has set for tests of his own and is not meant for the runs of cells: every variable
/// that gives an option of `everycrash test`, and those by which a test runner splits its tests.
[[nodiscard]] std::vector<std::string> variables_kept_from_cells();

struct ScenarioOptions;

/// Runs the matrix of these scenarios and prints it. Returns 1 if a mistake was missed or a
/// reference accused; 5 if a column was not run, but --require-complete asks for that.
[[nodiscard]] Result<int> run_matrix(const ScenarioOptions& options,
                                     const std::vector<Scenario>& scenarios);

}  // namespace everycrash::cli
