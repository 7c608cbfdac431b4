#include "reports/html/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "harness/base/quoting.h"
#include "reports/result_json.h"
#include "reports/text.h"

namespace everycrash::reports {
namespace {

constexpr size_t kFindingsWithContent = 20;
constexpr uint64_t kAround = 150;  // operations kept on both sides of what a finding is about
constexpr size_t kListMax = 300;
constexpr size_t kFindingsMax = 200;
constexpr size_t kFindingsLeast = 20;
constexpr size_t kTextMax = 200;
constexpr size_t kComplaintMax = 4000;  // the beginning is what says why
constexpr size_t kPathMax = 400;

/// Takes something off; returns what, or "" if there was nothing to take.
using Reduction = std::string (*)(ResultDocument& document);

/// Bounds what has no bound of its own, before anything is written for the first time.
std::string cut_long_texts(ResultDocument& document) {
  bool any = false;
  const auto cut = [&any](std::string& text, size_t most) {
    if (text.size() <= most) return;
    any = true;
    text.resize(most);
    text += " ...";
  };
  for (Finding& finding : document.findings) {
    for (std::string& complaint : finding.complaints) cut(complaint, kComplaintMax);
  }
  for (TimelineOperation& operation : document.operations) {
    for (std::string* text : {&operation.path, &operation.other_path, &operation.point}) {
      cut(*text, kPathMax);
    }
  }
  for (Frame& frame : document.frames) cut(frame.function, kPathMax);
  return any ? "The end of long texts." : "";
}

std::string drop_contents(ResultDocument& document) {
  size_t dropped = 0;
  for (size_t i = kFindingsWithContent; i < document.findings.size(); ++i) {
    Finding& finding = document.findings[i];
    if (!finding.evidence || !finding.evidence->file) continue;
    finding.evidence->file.reset();
    ++dropped;
  }
  if (dropped == 0) return "";
  return fmt::format("The broken files of {} (all but the first {}).", counted(dropped, "finding"),
                     kFindingsWithContent);
}

std::string drop_excerpts(ResultDocument& document) {
  std::set<uint32_t> shown;
  for (const Stack& stack : document.stacks) shown.insert(stack.frames[stack.user_frame]);
  size_t dropped = 0;
  for (uint32_t i = 0; i < document.frames.size(); ++i) {
    if (document.frames[i].excerpt.lines.empty() || shown.contains(i)) continue;
    document.frames[i].excerpt = {};
    ++dropped;
  }
  if (dropped == 0) return "";
  return fmt::format("Source lines of {} that are not the first to look at.",
                     counted(dropped, "function"));
}

/// Keeps the operations for which KEEP says so, and the durability of the same.
void keep_operations(ResultDocument& document, const std::vector<bool>& keep) {
  const auto filter = [&keep](auto& list) {
    size_t kept = 0;
    for (size_t i = 0; i < list.size(); ++i) {
      if (keep[i]) list[kept++] = std::move(list[i]);
    }
    list.resize(kept);
  };
  filter(document.operations);
  for (Durability& durability : document.durability) filter(durability.since);
}

std::string drop_far_operations(ResultDocument& document) {
  std::vector<uint64_t> centres;
  const size_t findings = std::min(document.findings.size(), kFindingsWithContent);
  for (size_t i = 0; i < findings; ++i) {
    const Finding& finding = document.findings[i];
    centres.push_back(finding.sequence);
    if (finding.cause_operation) centres.push_back(finding.cause_operation->sequence);
    if (finding.kept_operation) centres.push_back(finding.kept_operation->sequence);
    for (const auto& lost : finding.lost_operations) centres.push_back(lost.sequence);
  }
  std::sort(centres.begin(), centres.end());
  std::vector<bool> keep;
  size_t dropped = 0;
  for (const TimelineOperation& operation : document.operations) {
    const uint64_t least = operation.sequence > kAround ? operation.sequence - kAround : 0;
    const auto near = std::lower_bound(centres.begin(), centres.end(), least);
    keep.push_back(near != centres.end() && *near <= operation.sequence + kAround);
    dropped += keep.back() ? 0 : 1;
  }
  if (dropped == 0) return "";
  keep_operations(document, keep);
  return fmt::format("{} that are far from the first {}.", counted(dropped, "operation"),
                     counted(findings, "finding"));
}

std::string shorten_lists(ResultDocument& document) {
  std::string dropped;
  const auto shorten = [&](auto& list, std::string_view name) {
    if (list.size() <= kListMax) return;
    dropped +=
        fmt::format("{}{}", dropped.empty() ? "" : ", ", counted(list.size() - kListMax, name));
    list.resize(kListMax);
  };
  shorten(document.call_sites, "call site");
  shorten(document.notes, "note");
  shorten(document.oracles, "reason");
  return dropped.empty() ? "" : fmt::format("The last of long lists: {}.", dropped);
}

std::string drop_evidence(ResultDocument& document) {
  size_t dropped = 0;
  for (Finding& finding : document.findings) {
    if (!finding.evidence) continue;
    finding.evidence.reset();
    ++dropped;
  }
  if (dropped == 0) return "";
  return fmt::format("Trees and files of {}.", counted(dropped, "finding"));
}

std::string drop_operations(ResultDocument& document) {
  if (document.operations.empty()) return "";
  const size_t count = document.operations.size();
  document.operations.clear();
  document.durability.clear();
  return fmt::format("The timeline ({}).", counted(count, "operation"));
}

std::string keep_findings(ResultDocument& document, size_t most) {
  if (document.findings.size() <= most) return "";
  const size_t count = document.findings.size() - most;
  document.findings.resize(most);
  return fmt::format("{}: they are in the result document.", counted(count, "finding"));
}

std::string drop_findings(ResultDocument& document) {
  return keep_findings(document, kFindingsMax);
}

std::string drop_most_findings(ResultDocument& document) {
  return keep_findings(document, kFindingsLeast);
}

/// Every operation that FINDING is about.
std::vector<InvolvedOperation*> operations_of(Finding& finding) {
  std::vector<InvolvedOperation*> operations;
  const auto add = [&operations](std::optional<InvolvedOperation>& operation) {
    if (operation) operations.push_back(&*operation);
  };
  add(finding.crash_operation);
  add(finding.cause_operation);
  add(finding.until_operation);
  add(finding.kept_operation);
  for (InvolvedOperation& lost : finding.lost_operations) operations.push_back(&lost);
  for (EarlierCrash& crash : finding.earlier) add(crash.operation);
  return operations;
}

std::string shorten_texts(ResultDocument& document) {
  const auto shorten = [](std::string& text) { text = elide_middle(valid_utf8(text), kTextMax); };
  const auto shorten_all = [&](std::vector<std::string>& texts) {
    for (std::string& text : texts) shorten(text);
    if (texts.size() > kListMax) texts.resize(kListMax);
  };
  for (Finding& finding : document.findings) {
    for (std::string* text : {&finding.title, &finding.path, &finding.point, &finding.explanation,
                              &finding.first_point, &finding.last_point, &finding.reproduce}) {
      shorten(*text);
    }
    shorten_all(finding.complaints);
    shorten_all(finding.points);
    for (InvolvedOperation* operation : operations_of(finding)) {
      for (std::string* text :
           {&operation->description, &operation->path, &operation->other_path}) {
        shorten(*text);
      }
      for (OutsideEvent& event : operation->events) shorten(event.words);
    }
    shorten_all(finding.effects);
  }
  for (Frame& frame : document.frames) {
    for (std::string* text : {&frame.function, &frame.module, &frame.file, &frame.command}) {
      shorten(*text);
    }
    shorten_all(frame.excerpt.lines);
  }
  for (CallSite& site : document.call_sites) {
    for (std::string* text : {&site.path_pattern, &site.function, &site.file}) shorten(*text);
  }
  for (Note& note : document.notes) shorten(note.message), shorten(note.path);
  for (Oracle& oracle : document.oracles) shorten(oracle.reason);
  for (auto* texts : {&document.workload, &document.recorded.notes, &document.recorded.warnings,
                      &document.capabilities}) {
    shorten_all(*texts);
  }
  return "The middle of long texts.";
}

std::string drop_stacks(ResultDocument& document) {
  document.stacks.clear();
  document.frames.clear();
  document.notes.clear();
  document.call_sites.clear();
  for (Finding& finding : document.findings) {
    for (InvolvedOperation* operation : operations_of(finding)) operation->stack = kNoStack;
  }
  return "Call stacks, call sites and notes.";
}

/// In the order in which they are tried.
constexpr std::array<Reduction, 10> kReductions = {
    drop_contents,   drop_excerpts, shorten_lists, drop_far_operations, drop_evidence,
    drop_operations, drop_findings, shorten_texts, drop_stacks,         drop_most_findings};

/// JSON in which no tag can begin. Where text cannot hold it, \u003c means the same.
std::string without_tags(std::string_view json) {
  std::string text;
  text.reserve(json.size() + json.size() / 16);
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

Fitted fit(ResultDocument document, size_t bytes_max) {
  Fitted fitted;
  document.shard_material.reset();  // for merging, not for people
  if (std::string what = cut_long_texts(document); !what.empty()) fitted.left_out.push_back(what);
  fitted.json = without_tags(to_json(document, Layout::kCompact));
  for (const Reduction reduce : kReductions) {
    if (fitted.json.size() <= bytes_max) break;
    std::string what = reduce(document);
    if (what.empty()) continue;
    fitted.left_out.push_back(std::move(what));
    fitted.json = without_tags(to_json(document, Layout::kCompact));
  }
  return fitted;
}

}  // namespace everycrash::reports
