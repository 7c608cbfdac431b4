#include "reports/markdown.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "harness/base/quoting.h"
#include "reports/finding_place.h"
#include "reports/text.h"
#include "reports/text_finding.h"

namespace everycrash::reports {
namespace {

constexpr size_t kCellWidthMax = 160;

size_t longest_run_of_ticks(std::string_view text) {
  size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

/// As markdown_code(), where a '|' would end the cell of a table.
std::string cell_code(std::string_view text) {
  if (text.find('|') != std::string_view::npos) return markdown_text(text);
  return markdown_code(text);
}

/// Lines that are shown as they are.
std::string code_block(const std::string& text) {
  const std::string fence(std::max<size_t>(3, longest_run_of_ticks(text) + 1), '`');
  return fmt::format("{}text\n{}{}\n", fence, text, fence);
}

std::string table_of_findings(const ResultDocument& document, const MarkdownOptions& options) {
  std::string text =
      "| finding | what is broken | crash | where | states |\n| --- | --- | --- | --- | ---: |\n";
  size_t left = options.findings_max;
  for (const Finding& finding : document.findings) {
    if (left-- == 0) {
      text += fmt::format("\nand {} more, in the result document.\n",
                          document.findings.size() - options.findings_max);
      break;
    }
    const std::optional<Place> place = place_of(document, finding, options.root);
    const std::string where =
        place ? fmt::format("{}:{}", place->file, place->line) : finding.point;
    std::string crash(name_of(finding.crash));
    if (!finding.models.empty()) crash += fmt::format(": {}", fmt::join(finding.models, ", "));
    text +=
        fmt::format("| {} | {}{} | {} | {} | {} |\n", cell_code(finding.id),
                    markdown_text(elide_middle(printable(finding.title), kCellWidthMax)),
                    finding.waived.empty() ? "" : " *(" + markdown_text(finding.waived) + ")*",
                    markdown_text(crash), cell_code(elide_middle(printable(where), kCellWidthMax)),
                    grouped(finding.states));
  }
  return text + "\n";
}

std::string stories(const ResultDocument& document, const MarkdownOptions& options) {
  const TextContext context{document, Style(false), Detail::kNormal};
  std::string text;
  const size_t shown = std::min(options.findings_max, document.findings.size());
  for (size_t i = 0; i < shown; ++i) {
    const Finding& finding = document.findings[i];
    text += fmt::format("### {}\n\n{}\n", markdown_text(finding.title),
                        code_block(text_of_finding(context, finding)));
  }
  return text;
}

std::string table_of_coverage(const ResultDocument& document) {
  if (document.coverage.empty()) return "";
  std::string text =
      "| crash | points | distinct states | checked | survived | violated | not measured | "
      "skipped | |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n";
  for (const Coverage& row : document.coverage) {
    text +=
        fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", markdown_text(name_of(row)),
                    grouped(row.crash_points), grouped(row.distinct), grouped(row.checked),
                    grouped(row.survived), grouped(row.violated), grouped(row.not_measured),
                    grouped(row.skipped_by_budget + row.skipped_by_shard),
                    row.exhaustive ? "exhaustive" : "bounded: " + markdown_text(row.bound));
  }
  return text + "\n";
}

std::string not_measured(const ResultDocument& document) {
  std::string text;
  for (const Oracle& oracle : document.oracles) {
    if (oracle.applied) continue;
    text += fmt::format("- {}{}{}\n", markdown_text(oracle.name),
                        oracle.name.empty() || oracle.reason.empty() ? "" : ": ",
                        markdown_text(oracle.reason));
  }
  return text.empty() ? "" : "Not measured:\n\n" + text + "\n";
}

/// TEXT cut at the end of a line, outside of code, so that nothing stays open.
std::string cut(std::string text, size_t bytes_max) {
  constexpr std::string_view kRest = "\nThe rest was left out: it is in the result document.\n";
  if (text.size() <= bytes_max || bytes_max < kRest.size()) return text;
  const size_t heading = text.rfind("\n### ", bytes_max - kRest.size());
  text.resize(heading == std::string::npos ? 0 : heading);
  return text.append(kRest);
}

}  // namespace

std::string markdown_text(std::string_view text) {
  constexpr std::string_view kMeaningful = "\\`*_{}[]()#+-.!|~$:^=";
  std::string escaped;
  for (const char c : printable(text)) {
    if (c == '<') {
      escaped += "&lt;";
    } else if (c == '>') {
      escaped += "&gt;";
    } else if (c == '&') {
      escaped += "&amp;";
    } else if (c == '@') {
      escaped += "&#64;";  // mentions nobody
    } else {
      if (kMeaningful.find(c) != std::string_view::npos) escaped += '\\';
      escaped += c;
    }
  }
  return escaped;
}

std::string markdown_code(std::string_view text) {
  const std::string line = printable(text);
  if (line.empty()) return "";
  const std::string ticks(longest_run_of_ticks(line) + 1, '`');
  const char* const space = line.starts_with('`') || line.ends_with('`') ? " " : "";
  return fmt::format("{0}{1}{2}{1}{0}", ticks, space, line);
}

std::string markdown_report(const ResultDocument& document, const MarkdownOptions& options) {
  std::string text = fmt::format("## {}\n\n", markdown_text(headline_of(document)));
  text += fmt::format("{}, seed {}, {}\n\n",
                      markdown_code(elide_middle(printable(shell_quote(document.workload)), 200)),
                      document.seed, markdown_text(document.kernel));
  if (!document.reason.empty()) {
    std::string reason;
    for (const std::string& line : printable_lines(document.reason)) reason += line + "\n";
    text += code_block(reason) + "\n";
  }
  for (const std::string& warning : document.recorded.warnings) {
    text += fmt::format("Warning: {}\n\n", markdown_text(warning));
  }
  if (!document.findings.empty()) text += table_of_findings(document, options);
  text += table_of_coverage(document);
  text += not_measured(document);
  if (!document.command.empty()) {
    text += fmt::format("The whole run again: {}\n\n", markdown_code(document.command));
  }
  text += stories(document, options);
  return cut(std::move(text), options.bytes_max);
}

}  // namespace everycrash::reports
