#include "scenarios/job_ledger/publish_lock.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <thread>

namespace scenarios::job_ledger {
namespace {

constexpr char kNewLockName[] = "publish.lock.tmp";
/// Shorter than the shortest run: the mistake of stale-too-short.
constexpr int64_t kTooShortMs = 1;
constexpr int kPatienceMs = 50;

Expected<uint64_t> inode_of(int fd) {
  struct stat info {};
  if (fstat(fd, &info) != 0) return call_failed("look at publish.lock");
  return info.st_ino;
}

bool is_stale(const LockHolder& holder, const PublishLock::Rules& rules) {
  // A lock from the future is one from before the clock was set back: its age is unknown, but not
  // a reason to wait for hours.
  const int64_t age_ms = std::abs(rules.now_ms - holder.written_at_ms);
  switch (rules.mistake) {
    case Break::kNeverStale:
      return false;
    case Break::kPidOnly:
      return !holder.identity || !is_pid_in_use(holder.identity->pid);
    case Break::kStaleTooShort:
      return age_ms > kTooShortMs;
    default:
      return age_ms > kStaleMs && !(holder.identity && is_running(*holder.identity));
  }
}

Outcome write_identity(int fd) {
  const auto identity = own_identity();
  if (!identity) return tl::unexpected(identity.error());
  return write_all(fd, to_text(*identity), kLockName);
}

/// The right to judge and replace the lock, as long as the descriptor is open. Not valid if another
/// has it for longer than `patience_ms`: it holds it for a few calls only, unless it stands still.
Expected<FileDescriptor> guard(int locks_fd, int patience_ms) {
  FileDescriptor file(openat(locks_fd, kTakeoverLockName, O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!file.valid()) return call_failed("open locks/takeover.lock");
  for (int waited_ms = 0; flock(file.get(), LOCK_EX | LOCK_NB) != 0; ++waited_ms) {
    if (errno != EWOULDBLOCK && errno != EINTR) return call_failed("lock locks/takeover.lock");
    if (waited_ms >= patience_ms) return FileDescriptor();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return file;
}

Expected<bool> is_free_or_stale(int locks_fd, const PublishLock::Rules& rules) {
  return read_lock(locks_fd).map(
      [&](const auto& holder) { return !holder || is_stale(*holder, rules); });
}

}  // namespace

Expected<std::optional<LockHolder>> read_lock(int locks_fd) {
  const FileDescriptor file(openat(locks_fd, kLockName, O_RDONLY | O_CLOEXEC));
  if (!file.valid() && errno == ENOENT) return std::optional<LockHolder>();
  if (!file.valid()) return call_failed("open locks/publish.lock");
  struct stat info {};
  if (fstat(file.get(), &info) != 0) return call_failed("look at locks/publish.lock");
  const auto text = read_all(file.get(), kLockName);
  if (!text) return tl::unexpected(text.error());
  return LockHolder{parse_identity(*text),
                    int64_t{info.st_mtim.tv_sec} * 1000 + info.st_mtim.tv_nsec / 1000000,
                    info.st_ino};
}

Outcome leave_stale_lock(int locks_fd) {
  constexpr time_t kOneHourS = 3600;
  const FileDescriptor lock(
      openat(locks_fd, kLockName, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (!lock.valid()) return call_failed("create locks/publish.lock");
  auto dead = own_identity();
  if (!dead) return tl::unexpected(dead.error());
  // Whoever gets our pid later will have started later than this.
  if (const Outcome written = write_all(lock.get(), to_text(*dead), kLockName); !written) {
    return written;
  }
  const timespec then{std::time(nullptr) - kOneHourS, 0};
  const timespec times[2] = {then, then};
  if (futimens(lock.get(), times) != 0) return call_failed("make locks/publish.lock old");
  return {};
}

PublishLock::Taken PublishLock::take(int locks_fd, const Rules& rules) {
  if (rules.mistake == Break::kCheckThenCreate) return only_test(locks_fd, rules);
  const FileDescriptor created(
      openat(locks_fd, kLockName, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (created.valid()) return confirm(locks_fd, created);
  if (errno != EEXIST) return call_failed("create locks/publish.lock");
  if (rules.mistake == Break::kTakeoverByUnlink) return unlink_and_create(locks_fd, rules);
  return take_over(locks_fd, rules);
}

PublishLock::Taken PublishLock::confirm(int locks_fd, const FileDescriptor& created) {
  // Until our name is in it, the lock is nobody's, and stale if we are slow. Under the guard
  // nobody takes it over while we look whether somebody has.
  const auto held = guard(locks_fd, kPatienceMs);
  if (!held) return tl::unexpected(held.error());
  if (!held->valid()) return std::optional<PublishLock>();
  const auto inode = inode_of(created.get());
  const auto holder = read_lock(locks_fd);
  if (!inode) return tl::unexpected(inode.error());
  if (!holder) return tl::unexpected(holder.error());
  if (!*holder || (*holder)->inode != *inode) return std::optional<PublishLock>();
  if (const Outcome written = write_identity(created.get()); !written) {
    return tl::unexpected(written.error());
  }
  // Left by a power failure that kept the release of a lock and lost how it had been taken over.
  if (unlinkat(locks_fd, kNewLockName, 0) != 0 && errno != ENOENT) {
    return call_failed("remove locks/publish.lock.tmp");
  }
  return PublishLock(locks_fd, *inode);
}

PublishLock::Taken PublishLock::take_over(int locks_fd, const Rules& rules) {
  const auto held = guard(locks_fd, 0);
  if (!held) return tl::unexpected(held.error());
  if (!held->valid()) return std::optional<PublishLock>();
  const auto holder = read_lock(locks_fd);
  if (!holder) return tl::unexpected(holder.error());
  // A lock that has gone meanwhile was released by a runner that has just done the work.
  if (!*holder || !is_stale(**holder, rules)) return std::optional<PublishLock>();
  return replace(locks_fd);
}

PublishLock::Taken PublishLock::replace(int locks_fd) {
  const FileDescriptor ours(
      openat(locks_fd, kNewLockName, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!ours.valid()) return call_failed("create locks/publish.lock.tmp");
  const auto inode = inode_of(ours.get());
  if (!inode) return tl::unexpected(inode.error());
  if (const Outcome written = write_identity(ours.get()); !written) {
    return tl::unexpected(written.error());
  }
  if (renameat(locks_fd, kNewLockName, locks_fd, kLockName) != 0) {
    return call_failed("take over locks/publish.lock");
  }
  return PublishLock(locks_fd, *inode);
}

PublishLock::Taken PublishLock::unlink_and_create(int locks_fd, const Rules& rules) {
  const auto free = is_free_or_stale(locks_fd, rules);
  if (!free) return tl::unexpected(free.error());
  if (!*free) return std::optional<PublishLock>();
  if (unlinkat(locks_fd, kLockName, 0) != 0 && errno != ENOENT) {
    return call_failed("remove the stale locks/publish.lock");
  }
  const FileDescriptor created(
      openat(locks_fd, kLockName, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (created.valid()) return confirm(locks_fd, created);
  if (errno != EEXIST) return call_failed("create locks/publish.lock");
  return std::optional<PublishLock>();
}

PublishLock::Taken PublishLock::only_test(int locks_fd, const Rules& rules) {
  const auto free = is_free_or_stale(locks_fd, rules);
  if (!free) return tl::unexpected(free.error());
  if (!*free) return std::optional<PublishLock>();
  return PublishLock(locks_fd, 0);
}

Outcome PublishLock::begin_work() {
  if (inode_ != 0) return {};
  const FileDescriptor lock(
      openat(locks_fd_, kLockName, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!lock.valid()) return call_failed("create locks/publish.lock");
  const auto inode = inode_of(lock.get());
  if (!inode) return tl::unexpected(inode.error());
  inode_ = *inode;
  return write_identity(lock.get());
}

Outcome PublishLock::release() {
  const auto holder = read_lock(locks_fd_);
  if (!holder) return tl::unexpected(holder.error());
  // Somebody else's lock is not ours to remove. Nobody takes ours between the look and the unlink:
  // we are alive.
  if (!*holder || (*holder)->inode != inode_) return {};
  if (unlinkat(locks_fd_, kLockName, 0) != 0) return call_failed("release locks/publish.lock");
  return {};
}

}  // namespace scenarios::job_ledger
