#include "harness/cli/scenarios/matrix.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/quoting.h"
#include "reports/terminal.h"
#include "reports/text.h"

namespace everycrash::cli {
namespace {

using State = MatrixCell::State;

bool contains_any(const std::string& text, const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return text.find(word) != std::string::npos; });
}

bool shows_under(const MatrixFinding& finding, const std::vector<std::string>& models) {
  return models.empty() || std::any_of(models.begin(), models.end(), [&](const std::string& model) {
           return std::find(finding.models.begin(), finding.models.end(), model) !=
                  finding.models.end();
         });
}

bool is_reference(const MatrixRow& row) {
  return row.name.empty();
}

}  // namespace

const std::vector<MatrixColumn>& matrix_columns() {
  static const std::vector<MatrixColumn> kColumns = {
      {"k", "kill", "the process is killed", {"--crash", "kill"}, ""},
      {"p",
       "power",
       "the power fails",
       {"--crash", "power", "--fs",
        "posix,ext4,ext4-noauto_da_alloc,ext4-nodelalloc,ext4-writeback,xfs,btrfs"},
       "",
       {"--max-states", "100"}},
      {"l",
       "lost-fsync",
       "the power fails and the disk lies",
       {"--crash", "lost-fsync", "--fs", "posix", "--max-states", "200"},
       ""},
      {"e", "io-error", "a call fails", {"--crash", "io-error"}, ""},
      {"a", "again", "recovery crashes too", {"--crash", "again"}, "", {}, true},
      {"c", "concurrent", "a second runner comes", {"--crash", "concurrent"}, "", {}, true},
      {"t", "clock", "the clock is wrong", {"--crash", "clock"}, ""},
  };
  return kColumns;
}

MatrixCell::State found_state(const std::vector<MatrixFinding>& findings,
                              const std::vector<std::string>& signs,
                              const std::vector<std::string>& models) {
  State state = State::kClean;
  for (const MatrixFinding& finding : findings) {
    if (!shows_under(finding, models)) continue;
    if (signs.empty() || contains_any(finding.complaint + "\n" + finding.title, signs)) {
      return State::kFound;
    }
    state = State::kFoundElse;
  }
  return state;
}

void add_run(const MatrixCell& run, MatrixCell& cell) {
  constexpr State kByWeight[] = {State::kNotAsked,  State::kClean,     State::kNotRun,
                                 State::kFoundElse, State::kNoVerdict, State::kFound};
  const auto weight = [&](State state) {
    return std::find(std::begin(kByWeight), std::end(kByWeight), state);
  };
  if (weight(run.state) > weight(cell.state)) {
    cell.state = run.state;
    cell.trouble = run.trouble;
  }
  cell.states += run.states;
  cell.not_measured += run.not_measured;
  cell.findings.insert(cell.findings.end(), run.findings.begin(), run.findings.end());
}

CellVerdict verdict_of(const MatrixRow& row, const MatrixCell& cell) {
  switch (cell.state) {
    case State::kNotRun:
      // A reference must be looked at everywhere.
      return cell.expected || is_reference(row) ? CellVerdict::kNotRun : CellVerdict::kNothing;
    case State::kNotAsked:
      return CellVerdict::kNothing;
    case State::kNoVerdict:
      return CellVerdict::kWrong;
    case State::kClean:
      return cell.expected ? CellVerdict::kWrong : CellVerdict::kGood;
    case State::kFound:
      if (cell.expected) return CellVerdict::kGood;
      return is_reference(row) ? CellVerdict::kWrong : CellVerdict::kAlso;
    case State::kFoundElse:
      return cell.expected || is_reference(row) ? CellVerdict::kWrong : CellVerdict::kAlso;
  }
  return CellVerdict::kWrong;
}

std::string_view word_for(const MatrixRow& row, const MatrixCell& cell) {
  const bool reference = is_reference(row);
  switch (cell.state) {
    case State::kNotRun:
      return cell.expected || reference ? "?" : "";
    case State::kNotAsked:
      return "";
    case State::kNoVerdict:
      return "BROKEN";
    case State::kClean:
      if (cell.expected) return "MISSED";
      return reference ? "clean" : "-";
    case State::kFound:
      if (reference) return cell.expected ? "lost" : "ACCUSED";
      return cell.expected ? "found" : "also";
    case State::kFoundElse:
      if (reference) return "ACCUSED";
      return cell.expected ? "UNNAMED" : "also";
  }
  return "BROKEN";
}

std::string verdict_of(const Matrix& matrix, const MatrixRow& row) {
  std::string wrong;
  std::string not_run;
  for (size_t i = 0; i < row.cells.size(); ++i) {
    const MatrixCell& cell = row.cells[i];
    const CellVerdict verdict = verdict_of(row, cell);
    const std::string& column = matrix.columns[i].name;
    if (verdict == CellVerdict::kWrong) {
      wrong += fmt::format("{}{} under {}", wrong.empty() ? "" : ", ", word_for(row, cell), column);
    }
    if (verdict == CellVerdict::kNotRun) not_run += " " + column;
  }
  for (const std::string& column : row.left_out) not_run += " " + column;
  if (!wrong.empty()) return wrong;
  return not_run.empty() ? "ok" : "not run:" + not_run;
}

int MatrixScore::percent() const {
  return mistakes == 0 ? 0 : static_cast<int>(100 * found / mistakes);
}

MatrixScore score_of(const Matrix& matrix) {
  MatrixScore score;
  for (const MatrixRow& row : matrix.rows) {
    const auto has = [&](CellVerdict verdict) {
      return std::any_of(row.cells.begin(), row.cells.end(),
                         [&](const MatrixCell& cell) { return verdict_of(row, cell) == verdict; });
    };
    if (is_reference(row)) {
      ++score.references;
      score.accused += has(CellVerdict::kWrong) ? 1 : 0;
      continue;
    }
    ++score.mistakes;
    if (has(CellVerdict::kWrong)) {
      ++score.missed;
    } else if (has(CellVerdict::kNotRun) || !row.left_out.empty()) {
      ++score.waiting;
    } else {
      ++score.found;
    }
  }
  return score;
}

namespace {

constexpr size_t kNameWidth = 21;
constexpr size_t kCellWidth = 8;

std::string padded(std::string_view text, size_t width) {
  return std::string(text) + std::string(width > text.size() ? width - text.size() : 1, ' ');
}

std::string coloured(const reports::Style& style, CellVerdict verdict, const std::string& text) {
  switch (verdict) {
    case CellVerdict::kGood:
      return style.good(text);
    case CellVerdict::kWrong:
      return style.bad(text);
    case CellVerdict::kNotRun:
      return style.unsure(text);
    default:
      return text;
  }
}

std::string row_text(const Matrix& matrix, const MatrixRow& row, const reports::Style& style) {
  std::string line = padded(is_reference(row) ? "reference" : row.name, kNameWidth);
  CellVerdict worst = CellVerdict::kGood;
  for (const MatrixCell& cell : row.cells) {
    const CellVerdict verdict = verdict_of(row, cell);
    line += coloured(style, verdict, padded(word_for(row, cell), kCellWidth));
    if (verdict == CellVerdict::kWrong) worst = verdict;
    if (verdict == CellVerdict::kNotRun && worst == CellVerdict::kGood) worst = verdict;
  }
  return line + coloured(style, worst, verdict_of(matrix, row)) + "\n";
}

/// What a cell that is wrong was found to be.
std::string trouble_text(const Matrix& matrix) {
  std::string text;
  for (const MatrixRow& row : matrix.rows) {
    for (size_t i = 0; i < row.cells.size(); ++i) {
      const MatrixCell& cell = row.cells[i];
      if (verdict_of(row, cell) != CellVerdict::kWrong) continue;
      text += fmt::format("\n{} {} under {}: {}\n", row.scenario,
                          is_reference(row) ? "reference" : row.name, matrix.columns[i].name,
                          word_for(row, cell));
      if (!cell.trouble.empty()) text += "  " + printable(cell.trouble) + "\n";
      for (const MatrixFinding& finding : cell.findings) {
        text += fmt::format("  {}: {}\n", printable(finding.title), printable(finding.complaint));
      }
    }
  }
  return text;
}

std::string legend(const Matrix& matrix) {
  std::string text =
      "\n  found = as expected   also = found where it need not be   - = looked for, not found\n"
      "  lost = no program can keep what this disk loses   ? = not run, so not known\n";
  for (const MatrixColumn& column : matrix.columns) {
    text += fmt::format("  {} = {}: {}{}\n", column.letter, column.name, column.what,
                        column.options.empty() ? " (not run: " + column.not_run + ")" : "");
  }
  return text;
}

/// States that nobody could judge are not good: they are told, where all others were.
std::string not_measured_text(const Matrix& matrix) {
  std::string text;
  for (const MatrixRow& row : matrix.rows) {
    for (size_t i = 0; i < row.cells.size(); ++i) {
      if (row.cells[i].not_measured == 0) continue;
      text += fmt::format("\n{} {} under {}: {} not measured\n", row.scenario,
                          is_reference(row) ? "reference" : row.name, matrix.columns[i].name,
                          reports::counted(row.cells[i].not_measured, "state"));
    }
  }
  return text;
}

std::string score_text(const MatrixScore& score, const reports::Style& style) {
  std::string text = fmt::format(
      "\nMutation score: {} % ({} of {} mistakes found in every column in which they must be; {} "
      "missed, {} not judged since a column was not run)\n",
      score.percent(), score.found, score.mistakes, score.missed, score.waiting);
  text += score.accused == 0 ? fmt::format("References: none of {} accused\n", score.references)
                             : style.bad(fmt::format("References: {} of {} accused", score.accused,
                                                     score.references)) +
                                   "\n";
  return text;
}

}  // namespace

std::string matrix_text(const Matrix& matrix, bool colour) {
  const reports::Style style(colour);
  std::string text;
  const std::string* scenario = nullptr;
  for (const MatrixRow& row : matrix.rows) {
    if (scenario == nullptr || *scenario != row.scenario) {
      text += (scenario == nullptr ? "" : "\n") + style.bold(padded(row.scenario, kNameWidth));
      for (const MatrixColumn& column : matrix.columns) {
        text += style.bold(padded(column.letter, kCellWidth));
      }
      text += "\n";
      scenario = &row.scenario;
    }
    text += row_text(matrix, row, style);
  }
  return text + legend(matrix) + trouble_text(matrix) + not_measured_text(matrix) +
         score_text(score_of(matrix), style);
}

}  // namespace everycrash::cli
