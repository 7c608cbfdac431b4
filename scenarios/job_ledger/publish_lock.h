// locks/publish.lock admits one runner at a time.
//
//   take:     create it with O_CREAT|O_EXCL, write who we are into it
//   else:     somebody has it. If it is stale, take it over; if not, we lose, and leave at once
//   release:  unlink it, if it is still ours
//
// It is stale if it is older than kStaleMs *and* its process is dead. Either alone is wrong: a run
// may take longer than anybody thought, and a pid that is alive may be a stranger's.
//
// Taking over must be one step for all others, or two runners that both found the lock stale both
// win: the slower one would remove the lock that the faster one has just made. So it is done under
// flock on locks/takeover.lock, which the kernel releases however its holder dies: judge the lock
// again, and rename a new one over it, so that it is never absent.
#pragma once

#include <cstdint>
#include <optional>

#include "scenarios/common/file_io.h"
#include "scenarios/job_ledger/break_table.h"
#include "scenarios/job_ledger/runner_identity.h"

namespace scenarios::job_ledger {

inline constexpr char kLockName[] = "publish.lock";
inline constexpr char kTakeoverLockName[] = "takeover.lock";
inline constexpr int64_t kStaleMs = 20000;

/// What the lock file says.
struct LockHolder {
  std::optional<RunnerIdentity> identity;  ///< none: it died before it had written that, or will
  int64_t written_at_ms = 0;               ///< the file's mtime
  uint64_t inode = 0;
};

/// nullopt if there is no lock. `locks_fd` is the directory locks/.
[[nodiscard]] Expected<std::optional<LockHolder>> read_lock(int locks_fd);

/// Leaves a lock behind as a runner does that was killed an hour ago.
[[nodiscard]] Outcome leave_stale_lock(int locks_fd);

/// A lock that this process has. Not thread-safe; does not own `locks_fd`. Destroying it without
/// release leaves the lock behind, as a crash does.
class PublishLock {
 public:
  struct Rules {
    Break mistake = Break::kNone;
    int64_t now_ms = 0;  ///< wall clock
  };

  /// nullopt: another runner has it.
  [[nodiscard]] static Expected<std::optional<PublishLock>> take(int locks_fd, const Rules& rules);

  /// Call before the first change. Does nothing; `check-then-create` only now creates the lock.
  [[nodiscard]] Outcome begin_work();
  [[nodiscard]] Outcome release();

 private:
  using Taken = Expected<std::optional<PublishLock>>;

  PublishLock(int locks_fd, uint64_t inode) : locks_fd_(locks_fd), inode_(inode) {}

  [[nodiscard]] static Taken confirm(int locks_fd, const FileDescriptor& created);
  [[nodiscard]] static Taken take_over(int locks_fd, const Rules& rules);
  [[nodiscard]] static Taken replace(int locks_fd);
  [[nodiscard]] static Taken unlink_and_create(int locks_fd, const Rules& rules);
  [[nodiscard]] static Taken only_test(int locks_fd, const Rules& rules);

  int locks_fd_;
  uint64_t inode_;  ///< of the lock file; 0 = not created yet
};

}  // namespace scenarios::job_ledger
