#include "reports/junit.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "harness/base/exit_status.h"
#include "reports/finding_place.h"
#include "reports/text.h"
#include "reports/text_finding.h"

namespace everycrash::reports {
namespace {

constexpr size_t kFindingsInCase = 20;

/// TEXT for an attribute or an element: printable line by line, then escaped.
std::string xml(std::string_view text) {
  std::string escaped;
  bool first = true;
  for (const std::string& line : printable_lines(text)) {
    if (!first) escaped += '\n';
    first = false;
    for (size_t i = 0; i < line.size(); ++i) {
      // U+FFFE and U+FFFF are valid UTF-8 and no characters of XML.
      if (line.compare(i, 2, "\xEF\xBF") == 0 && i + 2 < line.size() &&
          (line[i + 2] == '\xBE' || line[i + 2] == '\xBF')) {
        escaped += line[i + 2] == '\xBE' ? "\\u{FFFE}" : "\\u{FFFF}";
        i += 2;
        continue;
      }
      switch (line[i]) {
        case '&':
          escaped += "&amp;";
          break;
        case '<':
          escaped += "&lt;";
          break;
        case '>':
          escaped += "&gt;";
          break;
        case '"':
          escaped += "&quot;";
          break;
        default:
          escaped += line[i];
      }
    }
  }
  return escaped;
}

enum class Kind : uint8_t { kPassed, kFailed, kBroken, kSkipped };

struct Case {
  std::string name;
  Kind kind = Kind::kPassed;
  std::string type;     ///< of a failure
  std::string message;  ///< one line
  std::string text;     ///< the whole story
  std::optional<Place> place;
  std::string reproduce;
};

std::string story_of(const ResultDocument& document, const std::vector<const Finding*>& findings) {
  const TextContext context{document, Style(false), Detail::kNormal};
  std::string text;
  for (size_t i = 0; i < findings.size() && i < kFindingsInCase; ++i) {
    text += text_of_finding(context, *findings[i]) + "\n";
  }
  if (findings.size() > kFindingsInCase) {
    text += fmt::format("and {} more findings\n", findings.size() - kFindingsInCase);
  }
  return text;
}

/// The case of JUDGE in one row of the coverage.
Case case_of(const ResultDocument& document, const Coverage& row, const std::string& judge,
             std::set<const Finding*>& told, std::string_view root) {
  Case made{.name = fmt::format("{}: {}", name_of(row), judge)};
  std::vector<const Finding*> failing;
  const Finding* waived = nullptr;
  for (const Finding& finding : document.findings) {
    const bool of_row = finding.crash == row.crash &&
                        (row.model.empty() ||
                         std::count(finding.models.begin(), finding.models.end(), row.model) > 0);
    if (!of_row || finding.judge != judge) continue;
    told.insert(&finding);
    if (finding.waived.empty()) {
      failing.push_back(&finding);
    } else {
      waived = &finding;
    }
  }
  if (!failing.empty()) {
    made.kind = Kind::kFailed;
    made.type = rule_of(*failing.front());
    made.message = sentence_of(*failing.front());
    if (failing.size() > 1) made.message += fmt::format(" And {} more.", failing.size() - 1);
    made.text = story_of(document, failing);
    made.place = place_of(document, *failing.front(), root);
    made.reproduce = failing.front()->reproduce;
  } else if (waived != nullptr) {
    made.kind = Kind::kSkipped;
    made.message = fmt::format("{}: {}", waived->waived, waived->title);
  } else if (row.survived + row.violated == 0) {
    made.kind = Kind::kSkipped;
    made.message = "not one crash state was judged here";
  } else if (row.not_measured + row.skipped_by_budget > 0) {
    made.text = fmt::format("{} not measured, {} skipped by the budget; the others survived\n",
                            counted(row.not_measured, "state"), grouped(row.skipped_by_budget));
  }
  return made;
}

/// The case of the run as a whole.
Case case_of_run(const ResultDocument& document) {
  Case made{.name = "run", .message = document.reason};
  if (made.message.empty()) made.message = headline_of(document);
  const bool by_finding = document.outcome == Outcome::kViolated && count_failing(document) > 0;
  if (document.exit_code == kExitGood || (document.exit_code == kExitFinding && by_finding)) {
    made.message.clear();
    return made;
  }
  made.type = name_of(document.outcome);
  made.kind = document.exit_code == kExitUnavailable ? Kind::kSkipped
              : document.exit_code == kExitFinding || document.exit_code == kExitIncomplete
                  ? Kind::kFailed
                  : Kind::kBroken;
  made.text = made.message + "\n";
  const size_t line_end = made.message.find('\n');
  if (line_end != std::string::npos) made.message.resize(line_end);
  return made;
}

std::vector<Case> cases_of(const ResultDocument& document, std::string_view root) {
  std::vector<Case> cases = {case_of_run(document)};
  std::set<const Finding*> told;
  for (const Coverage& row : document.coverage) {
    std::vector<std::string> judges;
    for (const Oracle& oracle : document.oracles) {
      if (oracle.applied) judges.push_back(oracle.name);
    }
    for (const Finding& finding : document.findings) {
      if (finding.crash == row.crash &&
          std::find(judges.begin(), judges.end(), finding.judge) == judges.end()) {
        judges.push_back(finding.judge);
      }
    }
    for (const std::string& judge : judges) {
      cases.push_back(case_of(document, row, judge, told, root));
    }
  }
  for (const Finding& finding : document.findings) {  // whatever no row of the coverage holds
    if (told.contains(&finding)) continue;
    const Coverage row{.crash = finding.crash};
    cases.push_back(case_of(document, row, finding.judge, told, root));
  }
  size_t number = 0;
  for (const Oracle& oracle : document.oracles) {
    if (oracle.applied) continue;
    cases.push_back({.name = oracle.name.empty() ? fmt::format("not measured {}", ++number)
                                                 : "not measured: " + oracle.name,
                     .kind = Kind::kSkipped,
                     .message = oracle.reason});
  }
  return cases;
}

std::string properties_of(const ResultDocument& document) {
  std::string text = "    <properties>\n";
  const auto add = [&](std::string_view name, std::string_view value) {
    if (value.empty()) return;
    text += fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, xml(value));
  };
  add("everycrash", document.tool_version);
  add("command", document.command);
  add("seed", std::to_string(document.seed));
  add("kernel", document.kernel);
  add("shard", document.shard);
  add("verdict", name_of(document.outcome));
  return text + "    </properties>\n";
}

std::string text_of(const Case& made, std::string_view class_name) {
  std::string text = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"0\"",
                                 xml(class_name), xml(made.name));
  if (made.place)
    text += fmt::format(" file=\"{}\" line=\"{}\"", xml(made.place->file), made.place->line);
  text += ">\n";
  if (!made.reproduce.empty()) {
    text += fmt::format(
        "      <properties>\n        <property name=\"reproduce\" value=\"{}\"/>\n"
        "      </properties>\n",
        xml(made.reproduce));
  }
  if (made.kind == Kind::kSkipped) {
    text += fmt::format("      <skipped message=\"{}\"/>\n", xml(made.message));
  } else if (made.kind != Kind::kPassed) {
    const char* const element = made.kind == Kind::kFailed ? "failure" : "error";
    text += fmt::format("      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n", element,
                        xml(made.type), xml(made.message), xml(made.text));
  } else if (!made.text.empty()) {
    text += fmt::format("      <system-out>{}</system-out>\n", xml(made.text));
  }
  return text + "    </testcase>\n";
}

}  // namespace

std::string junit_report(const ResultDocument& document, std::string_view root) {
  const std::vector<Case> cases = cases_of(document, root);
  const auto count = [&](Kind kind) {
    return std::count_if(cases.begin(), cases.end(),
                         [kind](const Case& made) { return made.kind == kind; });
  };
  const std::string name = workload_name(document);
  const double seconds = document.elapsed_ms ? static_cast<double>(*document.elapsed_ms) / 1000 : 0;
  const std::string numbers = fmt::format(
      "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\"", cases.size(),
      count(Kind::kFailed), count(Kind::kBroken), count(Kind::kSkipped), seconds);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format("<testsuites name=\"everycrash\" {}>\n", numbers);
  text += fmt::format("  <testsuite name=\"{}\" {}>\n", xml(name), numbers);
  text += properties_of(document);
  for (const Case& made : cases) text += text_of(made, "everycrash." + name);
  return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace everycrash::reports
