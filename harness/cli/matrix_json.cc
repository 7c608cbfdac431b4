// The only file of the matrix that includes nlohmann-json.
#include <nlohmann/json.hpp>

#include "harness/base/quoting.h"
#include "harness/cli/matrix.h"

namespace everycrash::cli {
namespace {

using Json = nlohmann::ordered_json;

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

Json to_json(const Matrix& matrix, const MatrixRow& row) {
  Json cells = Json::array();
  for (size_t i = 0; i < row.cells.size(); ++i) {
    const MatrixCell& cell = row.cells[i];
    Json findings = Json::array();
    for (const MatrixFinding& finding : cell.findings) {
      findings.push_back({{"title", valid_utf8(finding.title)},
                          {"complaint", valid_utf8(finding.complaint)},
                          {"models", finding.models}});
    }
    cells.push_back({{"column", matrix.columns[i].name},
                     {"expected", cell.expected},
                     {"outcome", name_of(cell.state)},
                     {"verdict", name_of(verdict_of(row, cell))},
                     {"states", cell.states},
                     {"not_measured", cell.not_measured},
                     {"findings", std::move(findings)},
                     {"trouble", valid_utf8(cell.trouble)}});
  }
  return {{"scenario", row.scenario},
          {"break", row.name},
          {"mistake", row.mistake},
          {"signs", row.signs},
          {"verdict", verdict_of(matrix, row)},
          {"cells", std::move(cells)}};
}

}  // namespace

std::string matrix_json(const Matrix& matrix) {
  Json document = {{"schema", "everycrash-matrix/1"}, {"quick", matrix.quick}};
  for (const MatrixColumn& column : matrix.columns) {
    document["columns"].push_back({{"letter", column.letter},
                                   {"name", column.name},
                                   {"run", !column.options.empty()},
                                   {"not_run", column.not_run}});
  }
  for (const MatrixRow& row : matrix.rows) document["rows"].push_back(to_json(matrix, row));
  const MatrixScore score = score_of(matrix);
  document["score"] = {{"percent", score.percent()},  {"mistakes", score.mistakes},
                       {"found", score.found},        {"missed", score.missed},
                       {"not_judged", score.waiting}, {"references", score.references},
                       {"accused", score.accused}};
  return document.dump(2) + "\n";
}

}  // namespace everycrash::cli
