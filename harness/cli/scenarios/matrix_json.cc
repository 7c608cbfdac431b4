#include <utility>

#include "harness/cli/scenarios/matrix.h"
#include "reports/json_object.h"

namespace everycrash::cli {
namespace {

using reports::JsonObject;

const char* name_of(MatrixCell::State state) {
  switch (state) {
    case MatrixCell::State::kNotRun:
      return "not run";
    case MatrixCell::State::kNotAsked:
      return "not asked";
    case MatrixCell::State::kNoVerdict:
      return "no verdict";
    case MatrixCell::State::kClean:
      return "clean";
    case MatrixCell::State::kFound:
      return "found";
    case MatrixCell::State::kFoundElse:
      return "found something else";
  }
  return "";
}

const char* name_of(CellVerdict verdict) {
  switch (verdict) {
    case CellVerdict::kGood:
      return "as expected";
    case CellVerdict::kAlso:
      return "found where it need not be";
    case CellVerdict::kWrong:
      return "not as expected";
    case CellVerdict::kNotRun:
      return "not known";
    case CellVerdict::kNothing:
      return "nothing to say";
  }
  return "";
}

JsonObject to_json(const MatrixFinding& finding) {
  JsonObject json;
  json.add_text("title", finding.title)
      .add_text("complaint", finding.complaint)
      .add_texts("models", finding.models);
  return json;
}

JsonObject to_json(const MatrixColumn& column, const MatrixRow& row, const MatrixCell& cell) {
  std::vector<JsonObject> findings;
  for (const MatrixFinding& finding : cell.findings) findings.push_back(to_json(finding));
  JsonObject json;
  json.add_text("column", column.name)
      .add_truth("expected", cell.expected)
      .add_text("outcome", name_of(cell.state))
      .add_text("verdict", name_of(verdict_of(row, cell)))
      .add_number("states", static_cast<int64_t>(cell.states))
      .add_number("not_measured", static_cast<int64_t>(cell.not_measured))
      .add_list("findings", std::move(findings))
      .add_text("trouble", cell.trouble);
  return json;
}

JsonObject to_json(const Matrix& matrix, const MatrixRow& row) {
  std::vector<JsonObject> cells;
  for (size_t i = 0; i < row.cells.size(); ++i) {
    cells.push_back(to_json(matrix.columns[i], row, row.cells[i]));
  }
  JsonObject json;
  json.add_text("scenario", row.scenario)
      .add_text("break", row.name)
      .add_text("mistake", row.mistake)
      .add_texts("signs", row.signs)
      .add_text("verdict", verdict_of(matrix, row))
      .add_list("cells", std::move(cells));
  return json;
}

JsonObject to_json(const MatrixColumn& column) {
  JsonObject json;
  json.add_text("letter", column.letter)
      .add_text("name", column.name)
      .add_truth("run", !column.options.empty())
      .add_text("not_run", column.not_run);
  return json;
}

JsonObject to_json(const MatrixScore& score) {
  const auto number = [](size_t count) { return static_cast<int64_t>(count); };
  JsonObject json;
  json.add_number("percent", score.percent())
      .add_number("mistakes", number(score.mistakes))
      .add_number("found", number(score.found))
      .add_number("missed", number(score.missed))
      .add_number("not_judged", number(score.waiting))
      .add_number("references", number(score.references))
      .add_number("accused", number(score.accused));
  return json;
}

}  // namespace

std::string matrix_json(const Matrix& matrix) {
  std::vector<JsonObject> columns, rows;
  for (const MatrixColumn& column : matrix.columns) columns.push_back(to_json(column));
  for (const MatrixRow& row : matrix.rows) rows.push_back(to_json(matrix, row));
  JsonObject document;
  document.add_text("schema", "everycrash-matrix/1")
      .add_truth("quick", matrix.quick)
      .add_list("columns", std::move(columns))
      .add_list("rows", std::move(rows))
      .add("score", to_json(score_of(matrix)));
  return document.text(2) + "\n";
}

}  // namespace everycrash::cli
