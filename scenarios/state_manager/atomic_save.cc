#include "scenarios/state_manager/atomic_save.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <vector>

#include "scenarios/common/file_io.h"
#include "scenarios/state_manager/broken_save.h"
#include "scenarios/state_manager/step_markers.h"

namespace scenarios::state_manager {
namespace {

constexpr std::string_view kTempEnd = ".tmp";

/// What the temp names of this runner end with.
std::string temp_end(const SaveRules& rules) {
  if (rules.mistake == Break::kFixedTempName) return std::string(kTempEnd);
  return "." + std::to_string(rules.runner) + std::string(kTempEnd);
}

std::string temp_name_for(const std::string& name, const SaveRules& rules) {
  const std::string temp_name = name + temp_end(rules);
  if (rules.mistake != Break::kLeftoverTemp) return temp_name;
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  return temp_name + ".t" + std::to_string(now);
}

bool writes_the_target_itself(Break mistake) {
  return mistake == Break::kOverwriteInPlace || mistake == Break::kCorruptIsEmpty ||
         mistake == Break::kTempElsewhere;
}

/// A marker for one call of a save; only if the rules ask for it, since there are thousands.
void mark_call(const SaveRules& rules, const char* name) {
  if (rules.mark_calls) mark_step(name);
}

}  // namespace

AtomicSave::AtomicSave(int directory_fd, std::string name, std::string_view content,
                       const SaveRules& rules)
    : directory_fd_(directory_fd),
      name_(std::move(name)),
      temp_name_(temp_name_for(name_, rules)),
      content_(content),
      rules_(rules) {}

Outcome AtomicSave::prepare() {
  if (writes_the_target_itself(rules_.mistake)) return {};
  if (rules_.mistake == Break::kIgnoreWriteError) {
    write_and_hope(directory_fd_, temp_name_, content_);
    return {};
  }
  const Outcome written = rules_.mistake == Break::kFlushOnly
                              ? write_with_flush_only(directory_fd_, temp_name_, content_)
                              : write_temp();
  if (!written) discard();
  return written;
}

Outcome AtomicSave::write_temp() {
  const FileDescriptor temp(
      openat(directory_fd_, temp_name_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!temp.valid()) return call_failed("open " + temp_name_);
  if (const Outcome written = write_all(temp.get(), content_, temp_name_); !written) {
    return written;
  }
  mark_call(rules_, "tmp-write");
  if (rules_.mistake == Break::kNoFsync || rules_.mistake == Break::kFsyncAfterRename) return {};
  return sync_file(temp.get());
}

Outcome AtomicSave::sync_file(int fd) {
  // A failed fsync is never tried again on the same file: the kernel has dropped the pages and the
  // next call would succeed without them (see fsync(2), EIO). The caller starts with a new file.
  if (fsync(fd) != 0 && rules_.mistake != Break::kIgnoreFsyncError) {
    return call_failed("fsync " + name_);
  }
  mark_call(rules_, "fsync");
  return {};
}

Outcome AtomicSave::publish() {
  switch (rules_.mistake) {
    case Break::kOverwriteInPlace:
    case Break::kCorruptIsEmpty:
      return overwrite_in_place(directory_fd_, name_, content_);
    case Break::kTempElsewhere:
      return move_from_elsewhere(directory_fd_, name_, content_);
    default:
      return rename_over_target();
  }
}

Outcome AtomicSave::rename_over_target() {
  if (renameat(directory_fd_, temp_name_.c_str(), directory_fd_, name_.c_str()) != 0) {
    const auto failure = call_failed("rename " + temp_name_ + " to " + name_);
    discard();
    return failure;
  }
  mark_call(rules_, "rename");
  if (rules_.mistake == Break::kFsyncAfterRename) {
    const FileDescriptor target(openat(directory_fd_, name_.c_str(), O_RDONLY | O_CLOEXEC));
    if (const Outcome synced = sync_file(target.get()); !synced) return synced;
  }
  if (rules_.mistake == Break::kNoDirFsync) return {};
  if (fsync(directory_fd_) != 0) return call_failed("fsync the directory of " + name_);
  mark_call(rules_, "dir-fsync");
  return {};
}

void AtomicSave::discard() {
  unlinkat(directory_fd_, temp_name_.c_str(), 0);
}

Outcome save_file(int directory_fd, const std::string& name, std::string_view content,
                  const SaveRules& rules) {
  AtomicSave save(directory_fd, name, content, rules);
  if (const Outcome prepared = save.prepare(); !prepared) return prepared;
  return save.publish();
}

bool is_temp_name(std::string_view name) {
  return name.find(kTempEnd) != std::string_view::npos;
}

Outcome remove_stale_temp_files(int directory_fd, const SaveRules& rules) {
  if (rules.mistake == Break::kLeftoverTemp) return {};
  FileDescriptor listing(openat(directory_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!listing.valid()) return call_failed("open the directory");
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(fdopendir(listing.get()), closedir);
  if (!entries) return call_failed("list the directory");
  listing.release();
  std::vector<std::string> stale;
  while (const dirent* entry = readdir(entries.get())) {
    const std::string_view name = entry->d_name;
    if (name.ends_with(temp_end(rules))) stale.emplace_back(name);
  }
  for (const std::string& name : stale) {
    if (unlinkat(directory_fd, name.c_str(), 0) != 0) return call_failed("remove " + name);
  }
  return {};
}

}  // namespace scenarios::state_manager
