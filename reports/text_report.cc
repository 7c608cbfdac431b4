#include "reports/text_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/crash_kind.h"
#include "harness/base/exit_status.h"
#include "harness/base/quoting.h"
#include "reports/terminal.h"
#include "reports/text.h"
#include "reports/text_finding.h"
#include "reports/text_notes.h"

namespace everycrash::reports {
namespace {

constexpr size_t kCommandWidthMax = 200;
constexpr size_t kNeverCrashedShown = 5;

/// Numbers over all crash kinds and models.
struct Totals {
  uint64_t points = 0, checked = 0, survived = 0, violated = 0, not_measured = 0, skipped = 0;
  bool exhaustive = true;
};

Totals totals_of(const ResultDocument& document) {
  Totals totals;
  for (const Coverage& coverage : document.coverage) {
    totals.points += coverage.crash_points;
    totals.checked += coverage.checked;
    totals.survived += coverage.survived;
    totals.violated += coverage.violated;
    totals.not_measured += coverage.not_measured;
    totals.skipped += coverage.skipped_by_budget + coverage.skipped_by_shard;
    totals.exhaustive &= coverage.exhaustive;
  }
  return totals;
}

std::string text_of_recording(const TextContext& context) {
  const ResultDocument& document = context.document;
  const Recorded& recorded = document.recorded;
  uint64_t operations = 0;
  for (const Count& kind : recorded.operations) operations += kind.count;
  std::string text =
      fmt::format("{} {}\n", context.style.bold("everycrash:"),
                  elide_middle(printable(shell_quote(document.workload)), kCommandWidthMax));
  text += fmt::format("Recorded {} by {}, {}", counted(operations, "operation"),
                      counted(recorded.processes, "process"), counted(recorded.threads, "thread"));
  std::vector<Count> kinds = recorded.operations;
  std::stable_sort(kinds.begin(), kinds.end(),
                   [](const Count& a, const Count& b) { return a.count > b.count; });
  const char* separator = ": ";
  for (const Count& kind : kinds) {
    text += fmt::format("{}{} {}", separator, grouped(kind.count), printable(kind.name));
    separator = ", ";
  }
  text += fmt::format("; {}, {}.\n", counted(recorded.prints, "print"),
                      counted(recorded.effects, "effect"));
  if (context.detail == Detail::kVerbose) {
    text += fmt::format("State directory {}, trace {} ({}), {}, everycrash {}.\n",
                        printable(document.state_directory), printable(document.trace.file),
                        printable(document.trace.identity), printable(document.kernel),
                        printable(document.tool_version));
  }
  return text;
}

std::string text_of_remarks(const TextContext& context) {
  std::string text;
  const auto remark = [&](const char* word, const std::string& message) {
    const char* head = word;
    for (const std::string& line : printable_lines(message)) {
      text += *head == '\0' ? fmt::format("  {}\n", line)
                            : fmt::format("{} {}\n", context.style.unsure(head), line);
      head = "";
    }
  };
  for (const std::string& message : context.document.recorded.warnings) {
    remark("warning:", message);
  }
  if (context.detail == Detail::kQuiet) return text;
  for (const std::string& message : context.document.recorded.notes) remark("note:", message);
  for (const std::string& message : context.document.capabilities) remark("note:", message);
  return text;
}

std::string text_of_findings(const TextContext& context) {
  std::string text;
  size_t shown = 0;
  for (const Finding& finding : context.document.findings) {
    const bool in_short = context.detail == Detail::kQuiet ||
                          (context.detail == Detail::kNormal && shown >= kFindingsShown);
    if (context.detail != Detail::kQuiet) text += '\n';
    text +=
        in_short ? text_of_finding_in_short(context, finding) : text_of_finding(context, finding);
    ++shown;
  }
  return text;
}

std::string text_of_rounds(const Coverage& row) {
  std::string text =
      fmt::format("{}: {}; {} survived, {} violated", words_for_crash(row.crash),
                  counted(row.checked, "round"), grouped(row.survived), grouped(row.violated));
  if (row.not_measured > 0) text += fmt::format(", {} not measured", grouped(row.not_measured));
  return text + fmt::format("; {}", printable(row.bound));
}

std::string text_of_coverage_row(const Coverage& row) {
  if (row.crash == CrashKind::kChaos) return text_of_rounds(row);
  std::string text = words_for_crash(row.crash);
  if (!row.model.empty()) text += fmt::format(", {}", printable(row.model));
  text += fmt::format(": {}, {} considered, {} distinct, {} checked; {} survived, {} violated",
                      counted(row.crash_points, "crash point"), counted(row.considered, "state"),
                      grouped(row.distinct), grouped(row.checked), grouped(row.survived),
                      grouped(row.violated));
  if (row.not_measured > 0) text += fmt::format(", {} not measured", grouped(row.not_measured));
  if (row.skipped_by_budget > 0) {
    text += fmt::format(", {} skipped by the budget", grouped(row.skipped_by_budget));
  }
  if (row.skipped_by_shard > 0) {
    text += fmt::format(", {} left to other shards", grouped(row.skipped_by_shard));
  }
  text += row.exhaustive ? "; exhaustive" : "; bounded";
  if (!row.bound.empty()) text += ": " + printable(row.bound);
  return text;
}

std::string text_of_call_sites(const TextContext& context) {
  const std::vector<CallSite>& sites = context.document.call_sites;
  if (sites.empty()) return "";
  const auto never = static_cast<size_t>(std::count_if(
      sites.begin(), sites.end(), [](const CallSite& s) { return s.crashed_at == 0; }));
  std::string text = fmt::format("  {} that change state, {} crashed at, {} never{}\n",
                                 counted(sites.size(), "call site"), sites.size() - never, never,
                                 never == 0 ? "" : ":");
  const bool all = context.detail == Detail::kVerbose;
  size_t left = all ? SIZE_MAX : kNeverCrashedShown;
  for (const CallSite& site : sites) {
    if ((!all && site.crashed_at > 0) || left == 0) continue;
    --left;
    const std::string line =
        site.file.empty() ? "" : fmt::format("{}:{}", printable(site.file), site.line);
    std::string place = site.function.empty() ? "??" : printable(site.function);
    if (!line.empty()) place = site.function.empty() ? line : fmt::format("{} at {}", place, line);
    text += fmt::format(
        "    {} {} in {}: {}, {}\n", printable(site.kind), printable(site.path_pattern), place,
        counted(site.operations, "operation"),
        site.crashed_at == 0 ? "never crashed at" : counted(site.crashed_at, "crash point"));
  }
  if (!all && never > kNeverCrashedShown) {
    text += fmt::format("    (and {} more: --verbose)\n", never - kNeverCrashedShown);
  }
  return text;
}

std::string text_of_coverage(const TextContext& context) {
  if (context.document.coverage.empty()) return "";
  std::string text = "\n" + context.style.bold("Coverage") + "\n";
  for (const Coverage& row : context.document.coverage) {
    text += fmt::format("  {}\n", text_of_coverage_row(row));
  }
  return text + text_of_call_sites(context);
}

std::string text_of_oracles(const TextContext& context) {
  std::string applied, missing;
  for (const Oracle& oracle : context.document.oracles) {
    const char* between = oracle.name.empty() || oracle.reason.empty() ? "" : ": ";
    (oracle.applied ? applied : missing) +=
        fmt::format("  {}{}{}\n", printable(oracle.name), between, printable(oracle.reason));
  }
  std::string text;
  if (!applied.empty() && context.detail == Detail::kVerbose) {
    text += "\n" + context.style.bold("Judged by") + "\n" + applied;
  }
  if (!missing.empty()) text += "\n" + context.style.unsure("Not measured") + "\n" + missing;
  return text;
}

/// The coloured word that the summary begins with.
std::string outcome_word(const TextContext& context) {
  const Style& style = context.style;
  switch (context.document.outcome) {
    case Outcome::kSurvived:
      return style.good("PASS");
    case Outcome::kViolated:
      if (context.document.exit_code == kExitGood && count_failing(context.document) == 0)
        return style.good("PASS");
      return style.bad("FAIL");
    case Outcome::kNotMeasured:
      return style.unsure("NOT MEASURED");
    case Outcome::kHarnessBroken:
      return style.bad("BROKEN");
    case Outcome::kNothing:
      return style.unsure("NOTHING");
  }
  return "";
}

std::string summary_line(const TextContext& context) {
  const ResultDocument& document = context.document;
  const Totals totals = totals_of(document);
  // What was not come to may fail yet.
  const bool stopped = document.interrupted && document.outcome == Outcome::kSurvived;
  std::string text = (stopped ? context.style.unsure("INTERRUPTED") : outcome_word(context)) + "  ";
  if (document.elapsed_ms) {
    text += fmt::format("[{:.1f}s] ", static_cast<double>(*document.elapsed_ms) / 1000);
  }
  switch (document.outcome) {
    case Outcome::kHarnessBroken:
      return text + "this run proves nothing, see the reason above\n";
    case Outcome::kNothing:
      return text + "there is nothing to explore\n";
    case Outcome::kViolated:
      text += counted(document.findings.size(), "finding");
      if (const size_t failing = count_failing(document); failing < document.findings.size())
        text += fmt::format(" ({} known or only reported)", document.findings.size() - failing);
      text += ", ";
      break;
    default:
      break;
  }
  const std::string extent = document.chaos
                                 ? counted(totals.checked, "round")
                                 : fmt::format("{} at {}", counted(totals.checked, "state"),
                                               counted(totals.points, "crash point"));
  text += fmt::format("{}: {} survived, {} violated, {} not measured, {} skipped ({}), seed {}",
                      extent, grouped(totals.survived), grouped(totals.violated),
                      grouped(totals.not_measured), grouped(totals.skipped),
                      totals.exhaustive ? "exhaustive" : "bounded", document.seed);
  if (!document.shard.empty()) text += fmt::format(", shard {}", printable(document.shard));
  if (document.interrupted && !stopped)
    text += fmt::format(", {}", context.style.unsure("INTERRUPTED"));
  return text + "\n";
}

std::string text_of_reason(const TextContext& context) {
  std::string text;
  for (const std::string& line : printable_lines(context.document.reason)) {
    text += fmt::format("  {}\n", line);
  }
  return text.empty() ? "" : fmt::format("\n{}\n{}", context.style.bold("Reason"), text);
}

}  // namespace

std::string text_report(const ResultDocument& document, const TextOptions& options) {
  const TextContext context{document, Style(options.colour), options.detail};
  const bool quiet = options.detail == Detail::kQuiet;
  std::string text;
  if (!quiet) text += text_of_recording(context);
  text += text_of_remarks(context);
  text += text_of_findings(context);
  if (!quiet) {
    text += text_of_notes(context);
    text += text_of_coverage(context);
    text += text_of_oracles(context);
  }
  text += text_of_reason(context);
  if (options.detail == Detail::kVerbose) {
    text += fmt::format("\n{}\n  {}\n", context.style.bold("The whole run again"),
                        printable(document.command));
  }
  if (!quiet) text += '\n';
  text += summary_line(context);
  if (document.findings.empty()) return text;
  const auto failing = std::find_if(document.findings.begin(), document.findings.end(),
                                    [](const Finding& finding) { return finding.waived.empty(); });
  const Finding& first = failing == document.findings.end() ? document.findings.front() : *failing;
  text += printable(first.reproduce) + "\n";
  return text;
}

}  // namespace everycrash::reports
