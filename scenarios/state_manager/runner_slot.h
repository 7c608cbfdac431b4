// Which of the live runners this one is: a number that no other live runner has.
//
// Runner N holds a lock on `runner-N.lock` as long as it lives; the kernel releases it however the
// runner dies. So a temp file that carries N is a leftover as soon as somebody else gets that lock,
// and neither process ids nor times are needed to tell.
#pragma once

#include <functional>
#include <string_view>

#include "scenarios/common/file_io.h"

namespace scenarios::state_manager {

inline constexpr int kMaxRunners = 8;

/// Not thread-safe. Owns the lock.
class RunnerSlot {
 public:
  /// Takes the lowest free number in that directory; a failure if all are taken.
  [[nodiscard]] static Expected<RunnerSlot> take(int state_directory_fd);

  [[nodiscard]] int number() const { return number_; }
  /// Calls `use` with each number that no other live runner has, and keeps it so meanwhile. Stops
  /// at the first failure and returns it.
  [[nodiscard]] Outcome for_each_dead_or_own(const std::function<Outcome(int)>& use) const;
  /// Whether any other runner holds its lock now.
  [[nodiscard]] bool another_lives() const;

 private:
  RunnerSlot(int state_directory_fd, int number, FileDescriptor lock)
      : state_directory_fd_(state_directory_fd), number_(number), lock_(std::move(lock)) {}

  int state_directory_fd_;
  int number_;
  FileDescriptor lock_;
};

/// Whether a file of that name belongs to the locks of runners.
[[nodiscard]] bool is_lock_name(std::string_view name);

}  // namespace scenarios::state_manager
