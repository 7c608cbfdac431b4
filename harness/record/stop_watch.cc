#include "harness/record/stop_watch.h"

#include <linux/futex.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <climits>

namespace everycrash::recording {

Result<std::unique_ptr<StopWatch>> StopWatch::create(uint32_t* reached) {
  const int event = eventfd(0, EFD_CLOEXEC);
  if (event < 0) return system_error("eventfd", errno);
  return std::unique_ptr<StopWatch>(new StopWatch(reached, event));
}

StopWatch::StopWatch(uint32_t* reached, int event) : reached_(reached), event_(event) {
  // Signals are for the threads that know what to do with them.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { wait_for_point(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

StopWatch::~StopWatch() {
  no_longer_ = true;
  // It may have looked at the flag, but not begun to wait: then the first call wakes nobody.
  while (!ended_) {
    syscall(SYS_futex, reached_, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
  thread_.join();
  close(event_);
}

void StopWatch::wait_for_point() {
  while (!no_longer_ && __atomic_load_n(reached_, __ATOMIC_ACQUIRE) == 0) {
    syscall(SYS_futex, reached_, FUTEX_WAIT, 0, nullptr, nullptr, 0);
  }
  const uint64_t one = 1;
  const ssize_t written = write(event_, &one, sizeof one);
  EVERYCRASH_ASSERT(written == sizeof one);
  ended_ = true;
}

}  // namespace everycrash::recording
