#include "scenarios/state_manager/runner_slot.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>

namespace scenarios::state_manager {
namespace {

std::string lock_name(int number) {
  return "runner-" + std::to_string(number) + ".lock";
}

}  // namespace

Expected<RunnerSlot> RunnerSlot::take(int state_directory_fd) {
  for (int number = 1; number <= kMaxRunners; ++number) {
    FileDescriptor lock(
        openat(state_directory_fd, lock_name(number).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    if (!lock.valid()) return call_failed("open " + lock_name(number));
    if (flock(lock.get(), LOCK_EX | LOCK_NB) == 0) {
      return RunnerSlot(state_directory_fd, number, std::move(lock));
    }
    if (errno != EWOULDBLOCK) return call_failed("lock " + lock_name(number));
  }
  return failed("all " + std::to_string(kMaxRunners) + " runners are at work", true);
}

Outcome RunnerSlot::for_each_dead_or_own(const std::function<Outcome(int)>& use) const {
  for (int number = 1; number <= kMaxRunners; ++number) {
    FileDescriptor lock;
    if (number != number_) {
      lock = FileDescriptor(
          openat(state_directory_fd_, lock_name(number).c_str(), O_RDONLY | O_CLOEXEC));
      if (!lock.valid() || flock(lock.get(), LOCK_EX | LOCK_NB) != 0) continue;
    }
    if (const Outcome used = use(number); !used) return used;
  }
  return {};
}

bool RunnerSlot::another_lives() const {
  for (int number = 1; number <= kMaxRunners; ++number) {
    if (number == number_) continue;
    const FileDescriptor lock(
        openat(state_directory_fd_, lock_name(number).c_str(), O_RDONLY | O_CLOEXEC));
    if (lock.valid() && flock(lock.get(), LOCK_SH | LOCK_NB) != 0) return true;
  }
  return false;
}

bool is_lock_name(std::string_view name) {
  return name.ends_with(".lock") && (name.starts_with("runner-") || name == "commit.lock");
}

}  // namespace scenarios::state_manager
