#include "harness/campaign/workspace.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>
#include <vector>

#include "harness/disk/disk_record.h"

namespace everycrash {
namespace {

constexpr const char* kPrefix = "everycrash-run-";
// A folder has this name until its lock is held, so that no other run takes it for abandoned.
constexpr const char* kNewPrefix = "everycrash-new-";
constexpr int kNewSeconds = 60;
// Says that a folder was made here: its name alone could be anybody's.
constexpr const char* kMark = ".everycrash-workspace";

bool is_memory(const std::filesystem::path& folder) {
  struct statfs info {};
  return statfs(folder.c_str(), &info) == 0 &&
         (info.f_type == TMPFS_MAGIC ||
          static_cast<uint64_t>(info.f_type) == 0x858458f6 /* ramfs */);
}

/// The folder that EVERYCRASH_WORK names; else memory file systems first, then the place for
/// temporary files.
std::vector<std::filesystem::path> candidates() {
  if (const char* chosen = std::getenv("EVERYCRASH_WORK"); chosen != nullptr && *chosen == '/') {
    return {chosen};
  }
  std::vector<std::filesystem::path> folders{"/dev/shm"};
  for (const char* name : {"XDG_RUNTIME_DIR", "TMPDIR"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value == '/') folders.emplace_back(value);
  }
  folders.emplace_back("/tmp");
  std::stable_partition(folders.begin(), folders.end(), is_memory);
  return folders;
}

/// Opens the folder and takes its lock; -1 if someone else has it.
int lock_folder(const std::filesystem::path& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) return -1;
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
  close(descriptor);
  return -1;
}

/// Creates the mark in a new folder.
bool mark_folder(const std::filesystem::path& folder) {
  const int descriptor =
      open((folder / kMark).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor >= 0) close(descriptor);
  return descriptor >= 0;
}

bool is_marked(const std::filesystem::path& folder) {
  struct stat info {};
  return lstat((folder / kMark).c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

/// Removes folders of this user whose owner died. Name, owner and mark say that they are ours.
int remove_stale(const std::filesystem::path& parent) {
  int removed = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator it(parent, error), end; !error && it != end;
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    const bool fresh = name.starts_with(kNewPrefix);
    if (!fresh && !name.starts_with(kPrefix)) continue;
    struct stat info {};
    if (lstat(it->path().c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != geteuid())
      continue;
    if (fresh && time(nullptr) - info.st_mtime < kNewSeconds) continue;
    const int lock = lock_folder(it->path());
    if (lock < 0) continue;
    if (is_marked(it->path())) {
      release_recorded_disks(it->path());
      remove_tree(it->path());
      ++removed;
    }
    close(lock);
  }
  return removed;
}

}  // namespace

namespace {

/// Makes ENTRY removable: permission for a folder, and no immutable or append-only flag
/// (chattr(1)).
void open_up(const std::filesystem::path& entry) {
  struct stat info {};
  if (lstat(entry.c_str(), &info) != 0 || (!S_ISDIR(info.st_mode) && !S_ISREG(info.st_mode)))
    return;
  const int descriptor = open(entry.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  int flags = 0;
  if (descriptor >= 0 && ioctl(descriptor, FS_IOC_GETFLAGS, &flags) == 0) {
    flags &= ~(FS_IMMUTABLE_FL | FS_APPEND_FL);
    static_cast<void>(ioctl(descriptor, FS_IOC_SETFLAGS, &flags));
  }
  if (descriptor >= 0) close(descriptor);
  if (S_ISDIR(info.st_mode)) chmod(entry.c_str(), 0700);
}

}  // namespace

void remove_tree(const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::remove_all(directory, error);
  if (!error) return;
  // One entry that may not be removed stops all: open them up and try again.
  open_up(directory);
  for (std::filesystem::recursive_directory_iterator it(directory, error), end; it != end;) {
    open_up(it->path());
    it.increment(error);
    if (error) break;
  }
  std::filesystem::remove_all(directory, error);
}

int remove_abandoned_workspaces() {
  int removed = 0;
  for (const std::filesystem::path& parent : candidates()) removed += remove_stale(parent);
  return removed;
}

Result<Workspace> Workspace::create() {
  std::string tried;
  for (const std::filesystem::path& parent : candidates()) {
    remove_stale(parent);
    std::string fresh = (parent / (std::string(kNewPrefix) + "XXXXXX")).string();
    if (mkdtemp(fresh.data()) == nullptr) {
      tried += fmt::format("{}{}: {}", tried.empty() ? "" : ", ", parent.string(),
                           strerrordesc_np(errno));
      continue;
    }
    const int lock = lock_folder(fresh);
    const std::string path = (parent / (kPrefix + fresh.substr(fresh.size() - 6))).string();
    if (lock < 0 || !mark_folder(fresh) || rename(fresh.c_str(), path.c_str()) != 0) {
      remove_tree(fresh);
      if (lock >= 0) close(lock);
      continue;
    }
    return Workspace(path, lock, is_memory(parent));
  }
  return harness_error(fmt::format(
      "cannot make a work folder ({})\nSet EVERYCRASH_WORK to a folder that can be written.",
      tried));
}

Workspace::Workspace(Workspace&& other) noexcept
    : path_(std::exchange(other.path_, {})),
      lock_(std::exchange(other.lock_, -1)),
      in_memory_(other.in_memory_) {}

Workspace::~Workspace() {
  if (lock_ < 0) return;
  remove_tree(path_);
  close(lock_);
}

}  // namespace everycrash
