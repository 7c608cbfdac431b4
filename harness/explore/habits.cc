#include "harness/explore/habits.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "harness/base/path_text.h"
#include "harness/model/floor.h"
#include "harness/trace/name_guesses.h"

namespace everycrash {
namespace {

/// Files that differ in their numbers only are one habit.
std::string without_digits(std::string_view path) {
  std::string text(path);
  std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
  return text;
}

class HabitFinder {
 public:
  explicit HabitFinder(const Trace& trace) : trace_(trace) {}

  std::vector<Habit> run() {
    for (const Operation& record : trace_.records()) {
      if (record.failed()) continue;
      if (record.kind == Kind::kPrint) {
        printed();
      } else if (is_operation(record.kind)) {
        operation(record);
      }
    }
    for (const auto& [path, record] : made_) {
      if (looks_temporary(path)) {
        note(HabitKind::kLeftoverTemp, *trace_.find(record), path);
      }
    }
    std::stable_sort(habits_.begin(), habits_.end(),
                     [](const Habit& a, const Habit& b) { return a.record < b.record; });
    return std::move(habits_);
  }

 private:
  struct File {
    uint64_t dirty = 0;    // record that wrote what no sync has covered
    uint64_t emptied = 0;  // record that cut it to nothing
    bool new_here = false;
    bool held_bytes = true;  // has had content at some time
    bool only_fdatasync = false;
  };
  struct NewName {
    uint64_t record;
    std::string path;
    uint64_t inode;
  };

  void operation(const Operation& op) {
    File& file = files_[op.inode];
    switch (op.kind) {
      case Kind::kOpen:
        opened(op, file);
        break;
      case Kind::kWrite:
      case Kind::kMapWrite:
        wrote(op, file);
        break;
      case Kind::kTruncate:
        file.dirty = op.sequence;
        if (op.length == 0 && file.held_bytes) file.emptied = op.sequence;
        break;
      case Kind::kClose:
        file.emptied = 0;
        break;
      case Kind::kRename:
        renamed(op, file);
        break;
      case Kind::kLink:
        new_name(op, op.other_path);
        break;
      case Kind::kSymlink:
      case Kind::kMakeDirectory:
      case Kind::kMakeNode:
        new_name(op, op.path);
        break;
      case Kind::kUnlink:
        removed(op, file);
        break;
      default:
        if (is_guarantee(op)) synced(op, file);
        break;
    }
  }

  void opened(const Operation& op, File& file) {
    if (op.has(format::kCreated) && !op.has(format::kNameless)) {
      file = {};
      file.new_here = true;
      file.held_bytes = false;
      new_name(op, op.path);
      removed_.erase(std::string(op.path));
    } else if (op.has(format::kTruncated)) {
      file.dirty = op.sequence;
      if (file.held_bytes) file.emptied = op.sequence;
    }
  }

  void wrote(const Operation& op, File& file) {
    file.held_bytes = true;
    if (file.emptied != 0) {
      note(HabitKind::kTruncateInPlace, *trace_.find(file.emptied), op.path);
      file.emptied = 0;
    }
    if (is_guarantee(op)) {
      file.dirty = 0;
    } else {
      file.dirty = op.sequence;
    }
  }

  void renamed(const Operation& op, File& file) {
    if (file.dirty != 0 && !op.has(format::kDirectory)) {
      note(HabitKind::kRenameWithoutFsync, op, op.other_path);
    }
    if (folder_of(op.path) != folder_of(op.other_path)) {
      note(HabitKind::kCrossDirectoryRename, op, op.other_path);
    }
    const auto removed = removed_.find(std::string(op.other_path));
    if (removed != removed_.end()) {
      note(HabitKind::kUnlinkBeforeRename, *trace_.find(removed->second), op.other_path);
      removed_.erase(removed);
    }
    made_.erase(std::string(op.path));
    new_name(op, op.other_path);
  }

  void removed(const Operation& op, File& file) {
    const std::string path(op.path);
    removed_[path] = op.sequence;
    made_.erase(path);
    file.dirty = 0;
    std::erase_if(names_, [&](const NewName& name) { return name.path == path; });
  }

  void new_name(const Operation& op, std::string_view path) {
    made_.try_emplace(std::string(path), op.sequence);
    std::erase_if(names_, [&](const NewName& name) { return name.path == path; });
    names_.push_back({op.sequence, std::string(path), op.inode});
  }

  void synced(const Operation& op, File& file) {
    if (syncs_all(op.kind)) {
      for (auto& [inode, other] : files_) other.dirty = 0;
      names_.clear();
      return;
    }
    file.dirty = 0;
    file.only_fdatasync = op.kind == Kind::kDataSync;
    std::erase_if(names_, [&](const NewName& name) { return folder_of(name.path) == op.path; });
  }

  void printed() {
    for (auto& [inode, file] : files_) {
      if (file.dirty == 0) continue;
      const Operation& write = *trace_.find(file.dirty);
      note(HabitKind::kAckBeforeFsync, write, write.path);
      file.dirty = 0;
    }
    for (const NewName& name : names_) {
      const Operation& made = *trace_.find(name.record);
      note(HabitKind::kNoDirectoryFsync, made, name.path);
      const File& file = files_[name.inode];
      if (file.new_here && file.only_fdatasync) {
        note(HabitKind::kFdatasyncForName, made, name.path);
      }
    }
    names_.clear();
  }

  void note(HabitKind kind, const Operation& at, std::string_view path) {
    const auto [it, fresh] =
        places_.try_emplace({kind, without_digits(path), at.stack}, habits_.size());
    if (!fresh) {
      ++habits_[it->second].occurrences;
      return;
    }
    habits_.push_back({kind, std::string(path), at.sequence, 1});
  }

  const Trace& trace_;
  std::map<uint64_t, File> files_;           // by inode; ordered, so that habits come in one order
  std::vector<NewName> names_;               // whose folder was not synced since
  std::map<std::string, uint64_t> made_;     // names that the run made and that are there
  std::map<std::string, uint64_t> removed_;  // names that the run removed and did not make again
  std::map<std::tuple<HabitKind, std::string, uint64_t>, size_t> places_;
  std::vector<Habit> habits_;
};

}  // namespace

std::string_view name_of(HabitKind kind) {
  switch (kind) {
    case HabitKind::kRenameWithoutFsync:
      return "rename-without-fsync";
    case HabitKind::kNoDirectoryFsync:
      return "no-directory-fsync";
    case HabitKind::kTruncateInPlace:
      return "truncate-in-place";
    case HabitKind::kUnlinkBeforeRename:
      return "unlink-before-rename";
    case HabitKind::kAckBeforeFsync:
      return "ack-before-fsync";
    case HabitKind::kFdatasyncForName:
      return "fdatasync-for-name";
    case HabitKind::kCrossDirectoryRename:
      return "cross-directory-rename";
    case HabitKind::kLeftoverTemp:
      return "leftover-temp";
  }
  return "";
}

std::vector<Habit> find_habits(const Trace& trace) {
  return HabitFinder(trace).run();
}

}  // namespace everycrash
