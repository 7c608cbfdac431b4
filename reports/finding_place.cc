#include "reports/finding_place.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "harness/base/crash_kind.h"
#include "harness/base/path_text.h"
#include "harness/base/quoting.h"
#include "reports/text.h"
#include "reports/text_finding.h"

namespace everycrash::reports {
namespace {

bool belongs_to_the_program(const Frame& frame) {
  return !frame.file.empty() && frame.line != 0 && !is_system_source(frame.file) &&
         !frame.file.starts_with('<') && !frame.library;
}

std::string relative_to(std::string_view root, const std::string& file) {
  std::string folder(root);
  while (folder.ends_with('/')) folder.pop_back();
  if (!folder.empty() && file.starts_with(folder + "/")) return file.substr(folder.size() + 1);
  return file.starts_with("./") ? file.substr(2) : file;
}

/// Lower case, with '-' between words.
std::string as_identifier(std::string_view text) {
  std::string name;
  for (const char c : text) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      name += c;
    } else if (c >= 'A' && c <= 'Z') {
      name += static_cast<char>(c - 'A' + 'a');
    } else if (!name.empty() && !name.ends_with('-')) {
      name += '-';
    }
  }
  while (name.ends_with('-')) name.pop_back();
  return name.empty() ? "other" : name;
}

}  // namespace

std::optional<Place> place_of_stack(const ResultDocument& document, StackIndex stack,
                                    std::string_view root) {
  if (stack == kNoStack) return std::nullopt;
  const Stack& frames = document.stacks[static_cast<size_t>(stack)];
  const bool in_script = !document.frames[frames.frames[frames.user_frame]].language.empty();
  std::optional<Place> elsewhere;  // in a package that is installed, say
  for (size_t i = frames.user_frame; i < frames.frames.size(); ++i) {
    const Frame& frame = document.frames[frames.frames[i]];
    if (!belongs_to_the_program(frame) || frame.language.empty() == in_script) continue;
    const Place place = {relative_to(root, frame.file), frame.line, frame.column};
    if (!in_script || !place.file.starts_with('/')) return place;
    if (!elsewhere) elsewhere = place;
  }
  return elsewhere;
}

std::optional<Place> place_of(const ResultDocument& document, const Finding& finding,
                              std::string_view root) {
  std::vector<StackIndex> stacks;
  for (const InvolvedOperation& lost : finding.lost_operations) stacks.push_back(lost.stack);
  for (const auto* operation :
       {&finding.cause_operation, &finding.crash_operation, &finding.kept_operation}) {
    if (*operation) stacks.push_back((*operation)->stack);
  }
  for (const StackIndex stack : stacks) {
    if (std::optional<Place> place = place_of_stack(document, stack, root)) return place;
  }
  return std::nullopt;
}

std::string rule_of(const Finding& finding) {
  return as_identifier(std::string(name_of(finding.crash))) + "/" + as_identifier(finding.judge);
}

std::string describe_rule(const Finding& finding) {
  const std::string judge = finding.judge == "checker"
                                ? "the checker rejects what is left"
                                : fmt::format("the rule '{}' is broken", printable(finding.judge));
  const std::string crash =
      finding.crash == CrashKind::kKill ? "kill of the process" : words_for_crash(finding.crash);
  return fmt::format("After a {}{} {}.", crash, finding.crash == CrashKind::kClock ? "," : "",
                     judge);
}

std::string sentence_of(const Finding& finding) {
  std::string crash = crash_line(finding);
  crash[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(crash[0])));
  return fmt::format("{}. {}; {}.", printable(finding.title), crash,
                     counted(finding.states, finding.crash == CrashKind::kChaos ? "failing round"
                                                                                : "failing state"));
}

std::string headline_of(const ResultDocument& document) {
  uint64_t points = 0, checked = 0;
  bool exhaustive = true;
  for (const Coverage& coverage : document.coverage) {
    points += coverage.crash_points;
    checked += coverage.checked;
    exhaustive = exhaustive && coverage.exhaustive;
  }
  const size_t failing = count_failing(document);
  const size_t waived = document.findings.size() - failing;
  std::string text = "everycrash: ";
  if (document.outcome == Outcome::kViolated) {
    text += failing == 0 ? "no finding that counts" : counted(failing, "finding");
    if (waived > 0) text += fmt::format(" ({} waived)", grouped(waived));
  } else if (document.outcome == Outcome::kSurvived) {
    text += "survived";
  } else {
    text += name_of(document.outcome);
  }
  if (document.chaos) {
    text += fmt::format(", {}", counted(checked, "round"));
  } else if (!document.coverage.empty()) {
    text += fmt::format(", {} at {}, {}", counted(checked, "state"), counted(points, "crash point"),
                        exhaustive ? "exhaustive" : "bounded");
  }
  if (!document.shard.empty()) text += ", shard " + printable(document.shard);
  if (document.interrupted) text += ", interrupted";
  return text;
}

std::string name_of(const Coverage& coverage) {
  return coverage.model.empty() ? std::string(name_of(coverage.crash))
                                : fmt::format("{}, {}", name_of(coverage.crash), coverage.model);
}

std::string workload_name(const ResultDocument& document) {
  if (document.workload.empty()) return "workload";
  return std::string(base_name(document.workload.front()));
}

}  // namespace everycrash::reports
