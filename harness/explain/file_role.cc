#include "harness/explain/file_role.h"

#include <algorithm>

#include "harness/base/path_text.h"
#include "harness/explore/point_names.h"
#include "harness/trace/event.h"
#include "harness/trace/trace.h"

namespace everycrash {
namespace {

bool brings_effect(const Operation& record) {
  const std::vector<Event> events = parse_events(record.events);
  return std::any_of(events.begin(), events.end(),
                     [](const Event& event) { return event.is_effect(); });
}

/// Which names the run has made, and which of them it has taken away again.
class NamesInTime {
 public:
  void follow(const Operation& record) {
    switch (record.kind) {
      case Kind::kOpen:
        if (record.has(format::kCreated)) make(record.path);
        break;
      case Kind::kMakeDirectory:
      case Kind::kSymlink:
      case Kind::kMakeNode:
        make(record.path);
        break;
      case Kind::kLink:
        linked_.emplace(record.path);
        make(record.other_path);
        break;
      case Kind::kRename:
        make(record.other_path);
        if (!record.has(format::kExchange)) take(record.path, FileRole::kTemporary);
        break;
      case Kind::kUnlink:
      case Kind::kRemoveDirectory:
        take(record.path,
             linked_.contains(record.path) ? FileRole::kTemporary : FileRole::kPassing);
        break;
      default:
        break;
    }
  }

  [[nodiscard]] std::map<std::string, FileRole, std::less<>> gone() && { return std::move(gone_); }

 private:
  void make(std::string_view path) {
    made_.emplace(path);
    if (const auto gone = gone_.find(path); gone != gone_.end()) gone_.erase(gone);
  }
  void take(std::string_view path, FileRole role) {
    if (made_.contains(path)) gone_.insert_or_assign(std::string(path), role);
  }

  std::set<std::string, std::less<>> made_;
  std::set<std::string, std::less<>> linked_;  // to another name, too
  std::map<std::string, FileRole, std::less<>> gone_;
};

}  // namespace

std::string_view name_of(FileRole role) {
  switch (role) {
    case FileRole::kState:
      return "state";
    case FileRole::kFolder:
      return "folder";
    case FileRole::kTemporary:
      return "temporary";
    case FileRole::kPassing:
      return "passing";
    case FileRole::kOutbox:
      return "outbox";
  }
  return "";
}

FileRoles::FileRoles(const Trace& trace) {
  NamesInTime names;
  for (const Operation& record : trace.records()) {
    if (!is_operation(record.kind) || record.failed()) continue;
    names.follow(record);
    if (record.kind == Kind::kMakeDirectory) folders_.emplace(record.path);
    for (const std::string_view path : {record.path, record.other_path}) {
      for (std::string_view folder = folder_of(path); !folder.empty(); folder = folder_of(folder)) {
        if (!folders_.emplace(folder).second) break;
      }
    }
    if (brings_effect(record)) outboxes_.emplace(point_path(record));
  }
  gone_ = std::move(names).gone();
}

FileRole FileRoles::of(std::string_view path) const {
  if (outboxes_.contains(path)) return FileRole::kOutbox;
  for (std::string_view at = path; !at.empty(); at = folder_of(at)) {
    if (const auto gone = gone_.find(at); gone != gone_.end()) return gone->second;
  }
  return path.empty() || folders_.contains(path) ? FileRole::kFolder : FileRole::kState;
}

}  // namespace everycrash
