#include "harness/explain/cause_words.h"

#include <fmt/format.h>

#include <utility>

#include "harness/check/verdict.h"
#include "harness/explain/path_pattern.h"
#include "harness/explore/point_names.h"
#include "harness/trace/event.h"
#include "harness/trace/trace.h"

namespace everycrash {
namespace {

/// True for calls on a file that was opened before.
bool goes_through_open_file(Kind kind) {
  switch (kind) {
    case Kind::kWrite:
    case Kind::kMapWrite:
    case Kind::kTruncate:
    case Kind::kAllocate:
    case Kind::kClose:
    case Kind::kFileSync:
    case Kind::kDataSync:
    case Kind::kSyncRange:
    case Kind::kMapSync:
      return true;
    default:
      return false;
  }
}

/// " step#", the last event that OPERATION brought about.
std::string event_of(const Operation& operation) {
  const std::vector<Event> events = parse_events(operation.events);
  if (events.empty()) return "";
  const Event& last = events.back();
  return " " + path_pattern(fmt::format("{}{}", last.step, last.kind), 0);
}

}  // namespace

CauseWords::CauseWords(const Trace& trace, SiteOf site_of, NameGrain grain)
    : trace_(trace),
      site_of_(std::move(site_of)),
      grain_(grain),
      roles_(trace),
      chance_(trace.records()) {
  for (const Operation& record : trace_.records()) {
    const bool opens = record.kind == Kind::kOpen && !record.failed() && record.inode != 0;
    if (opens) opens_[record.inode].push_back(&record);
  }
}

const Operation& CauseWords::origin_of(const Operation& operation) const {
  if (!goes_through_open_file(operation.kind)) return operation;
  const auto opens = opens_.find(operation.inode);
  if (opens == opens_.end()) return operation;
  const Operation* origin = nullptr;
  for (const Operation* open : opens->second) {
    if (open->sequence > operation.sequence) break;
    // What a child writes was mostly opened by its parent.
    const bool own = open->process == operation.process;
    if (own || origin == nullptr || origin->process != operation.process) origin = open;
  }
  return origin == nullptr ? operation : *origin;
}

std::string CauseWords::pattern_of(std::string_view path, int32_t process) const {
  std::string pattern = path_pattern(path, process, chance_);
  if (grain_ == NameGrain::kWhole) return pattern;
  const size_t name = pattern.rfind('/') + 1;  // 0 where there is no folder
  const size_t dot = pattern.rfind('.');
  if (dot != std::string::npos && dot > name) pattern.replace(name, dot - name, "*");
  return pattern;
}

std::string CauseWords::file_of(const Operation& operation) const {
  const std::string_view path = point_path(operation);
  if (!is_operation(operation.kind)) return pattern_of(path, operation.process);
  const CallSite site = site_of_(origin_of(operation).stack);
  if (site.line.empty()) return pattern_of(path, operation.process);
  return fmt::format("{} made by `{}` in {}", name_of(roles_.of(path)), site.line, site.name);
}

std::string CauseWords::call_of(const Operation& operation) const {
  const std::string file = file_of(operation);
  return fmt::format("{}{}{}{} at {}", name_of(operation.kind), event_of(operation),
                     file.empty() ? "" : " ", file, site_of_(operation.stack).name);
}

std::string CauseWords::subject_of(const Complaint& complaint) const {
  if (complaint.path.empty()) return "";
  if (complaint.judge == Judge::kExactlyOnce) {
    return path_pattern(complaint.path.substr(0, complaint.path.find(' ')), 0);
  }
  return std::string(name_of(roles_.of(complaint.path)));
}

}  // namespace everycrash
