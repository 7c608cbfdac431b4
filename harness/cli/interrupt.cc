#include "harness/cli/interrupt.h"

#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace everycrash::cli {
namespace {

std::atomic<bool> flag = false;
std::atomic<int> count = 0;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "set in a signal handler");
constexpr int kImpatient = 3;  // the orderly end takes a moment, in which people press twice
int event = -1;

void on_interrupt(int signal_number) {
  const int saved = errno;
  flag = true;
  if (++count == kImpatient) {
    // The orderly way takes too long for someone. A later run removes the work folder.
    signal(signal_number, SIG_DFL);
    raise(signal_number);
  }
  const uint64_t one = 1;
  static_cast<void>(write(event, &one, sizeof one) == sizeof one);
  errno = saved;
}

}  // namespace

void catch_interrupts() {
  event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_RESTART;
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaction(number, &action, nullptr);
  signal(SIGPIPE, SIG_IGN);
}

const std::atomic<bool>& interrupted() {
  return flag;
}

Stop asked_to_stop() {
  return {&flag, event};
}

}  // namespace everycrash::cli
