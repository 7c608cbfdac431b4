#include "reports/baseline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <set>

#include "harness/base/file.h"
#include "harness/base/quoting.h"

namespace everycrash::reports {
namespace {

constexpr const char* kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

bool is_id(std::string_view word) {
  return word.size() >= 8 && word.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool contains(const std::vector<std::string>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace

Result<Baseline> parse_baseline(std::string_view text, std::string_view name) {
  Baseline baseline;
  size_t number = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    const size_t hash = std::min(line.find('#'), line.size());
    const std::string_view id = trimmed(line.substr(0, hash));
    if (id.empty()) continue;
    if (!is_id(id)) {
      return fail(ErrorKind::kUsage,
                  fmt::format("{}:{}: \"{}\" is no id of a finding\nEach line is an id, as reports "
                              "show it in brackets, and a comment behind '#'.",
                              name, number, printable(id.substr(0, 40))));
    }
    baseline[std::string(id)] =
        hash < line.size() ? std::string(trimmed(line.substr(hash + 1))) : "";
  }
  return baseline;
}

Result<Baseline> read_baseline(const std::filesystem::path& file) {
  const Result<std::string> text = read_file(file);
  if (!text) {
    return fail(ErrorKind::kUsage,
                fmt::format("cannot read the baseline {}\nMake it with 'everycrash baseline update "
                            "RESULT --baseline {}', from a result of --json.",
                            printable(file.string()), shell_quote(file.string())));
  }
  return parse_baseline(*text, printable(file.string()));
}

std::string baseline_text(const std::vector<ResultDocument>& documents, const Baseline& old) {
  std::map<std::string, std::string> entries;
  for (const ResultDocument& document : documents) {
    for (const Finding& finding : document.findings) {
      const auto known = old.find(finding.id);
      const std::string comment =
          known != old.end() && !known->second.empty() ? known->second : printable(finding.title);
      entries.try_emplace(finding.id, comment);
    }
  }
  std::string text =
      "# Findings that are known and do not fail a run (everycrash --baseline).\n"
      "# Written by 'everycrash baseline update'; comments behind an id stay.\n";
  for (const auto& [id, comment] : entries) text += fmt::format("{}  # {}\n", id, comment);
  return text;
}

Result<FailOn> FailOn::parse(const std::vector<std::string>& words,
                             const std::vector<std::string>& kinds,
                             const std::vector<std::string>& models) {
  FailOn fail_on;
  for (const std::string& word : words) {
    const size_t colon = word.find(':');
    Choice choice;
    if (colon != std::string::npos) {
      choice = {word.substr(0, colon), word.substr(colon + 1)};
    } else if (contains(kinds, word)) {
      choice.crash = word;
    } else {
      choice.model = word;
    }
    const bool known = (choice.crash.empty() || contains(kinds, choice.crash)) &&
                       (choice.model.empty() || contains(models, choice.model)) &&
                       !(choice.crash.empty() && choice.model.empty()) &&
                       !(colon != std::string::npos && choice.model.empty());
    if (!known) {
      return fail(ErrorKind::kUsage,
                  fmt::format("--fail-on {}: not explored in this run\nName some of: {}{}{}; or "
                              "KIND:MODEL.",
                              printable(word), fmt::join(kinds, ", "), models.empty() ? "" : ", ",
                              fmt::join(models, ", ")));
    }
    fail_on.choices_.push_back(choice);
  }
  return fail_on;
}

bool FailOn::covers(const Finding& finding) const {
  if (choices_.empty()) return true;
  return std::any_of(choices_.begin(), choices_.end(), [&](const Choice& choice) {
    return (choice.crash.empty() || choice.crash == name_of(finding.crash)) &&
           (choice.model.empty() || contains(finding.models, choice.model));
  });
}

std::vector<std::string> waive_findings(ResultDocument& document, const Baseline& baseline,
                                        const FailOn& fail_on) {
  std::set<std::string> found;
  for (Finding& finding : document.findings) {
    found.insert(finding.id);
    if (baseline.contains(finding.id)) {
      finding.waived = "known: in the baseline";
    } else if (!fail_on.covers(finding)) {
      finding.waived = "reported only: not in --fail-on";
    }
  }
  std::vector<std::string> gone;
  for (const auto& entry : baseline) {
    if (!found.contains(entry.first)) gone.push_back(entry.first);
  }
  return gone;
}

}  // namespace everycrash::reports
