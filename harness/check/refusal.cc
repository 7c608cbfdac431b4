#include "harness/check/refusal.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <optional>

namespace everycrash {
namespace {

constexpr size_t kRunners = 2;

bool is_below(std::string_view path, std::string_view folder) {
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

/// Names that a runner has made and has not given away since.
class OwnNames {
 public:
  void follow(const Operation& record) {
    const std::string path(record.path);
    if (record.kind == Kind::kOpen) {
      if (record.has(format::kCreated) || record.has(format::kTruncated)) names_.insert(path);
      return;
    }
    if (takes_name(record.kind)) forget(path);
    if (const std::string_view made = name_made_by(record); !made.empty()) names_.emplace(made);
  }

  /// True if PATH, or a folder that it is in, is one of them.
  [[nodiscard]] bool covers(std::string_view path) const {
    return std::any_of(names_.begin(), names_.end(), [path](const std::string& name) {
      return path == name || is_below(path, name);
    });
  }

 private:
  void forget(const std::string& path) {
    std::erase_if(names_,
                  [&](const std::string& name) { return name == path || is_below(name, path); });
  }

  std::set<std::string> names_;
};

/// What one of the two made of its run.
class Runner {
 public:
  void take(const Operation& record) {
    if (record.kind == Kind::kProcess && process_ == 0) process_ = record.process;
    if (record.kind == Kind::kExit && record.process == process_) status_ = record.mode & 0xff;
    if (!is_operation(record.kind)) return;
    if (record.failed()) {
      was_robbed_ |= record.result == -ENOENT && own_.covers(record.path);
      return;
    }
    own_.follow(record);
    if (!changes_state(record)) return;
    changed_.emplace(record.path);
    if (!record.other_path.empty()) changed_.emplace(record.other_path);
  }

  [[nodiscard]] bool was_refused() const { return status_.value_or(0) != 0 && !was_robbed_; }
  [[nodiscard]] const std::set<std::string, std::less<>>& changed() const { return changed_; }

 private:
  int32_t process_ = 0;
  std::optional<uint32_t> status_;  ///< nullopt: it did not exit
  bool was_robbed_ = false;
  OwnNames own_;
  std::set<std::string, std::less<>> changed_;
};

}  // namespace

std::vector<Refusal> find_refusals(const Trace& trace) {
  std::array<Runner, kRunners> runners;
  for (const Operation& record : trace.records()) {
    if (record.runner < kRunners) runners[record.runner].take(record);
  }
  std::vector<Refusal> refusals;
  for (uint32_t i = 0; i < kRunners; ++i) {
    if (runners[i].was_refused()) refusals.push_back({i, runners[i].changed()});
  }
  return refusals;
}

}  // namespace everycrash
