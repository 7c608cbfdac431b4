#include "harness/check/launch.h"

#include <linux/sched.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

// These functions run in another process on a borrowed stack and never return from it, which leaves
// a sanitizer's picture of that stack wrong.
#define EVERYCRASH_BORROWED __attribute__((no_sanitize("address", "undefined"), noinline))

namespace everycrash {
namespace {

constexpr size_t kStackSize = 64 * 1024;
alignas(16) char init_stack[kStackSize];
alignas(16) char command_stack[kStackSize];

/// A system call that leaves errno alone: it belongs to the helper, which runs at the same time.
EVERYCRASH_BORROWED long raw(long number, long a = 0, long b = 0, long c = 0, long d = 0,
                             long e = 0) {
  long result;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
               : "rcx", "r11", "memory");
  return result;
}

template <typename T>
long as_long(T* pointer) {
  return reinterpret_cast<long>(pointer);
}

EVERYCRASH_BORROWED int command_main(void* argument) {
  Launch& launch = *static_cast<Launch*>(argument);
  raw(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  // The session is the helper's, which has no terminal: one of its own would cost a scheduler's
  // autogroup (sched(7)) each time.
  raw(SYS_setpgid, 0, 0);
  raw(SYS_dup2, launch.input, 0);
  raw(SYS_dup2, launch.output, 1);
  raw(SYS_dup2, launch.output, 2);
  raw(SYS_close_range, 3, ~0U, CLOSE_RANGE_CLOEXEC);
  long error = raw(SYS_chdir, as_long(launch.directory));
  if (error == 0) {
    // The helper leaves all signals to their default and blocks them; a command blocks none.
    unsigned long nothing = 0;
    raw(SYS_rt_sigprocmask, SIG_SETMASK, as_long(&nothing), 0, sizeof(nothing));
    bool denied = false;
    error = -ENOENT;
    for (const char* const* program = launch.programs; *program != nullptr; ++program) {
      error = raw(SYS_execve, as_long(*program), as_long(launch.arguments),
                  as_long(launch.environment));
      if (error == -EACCES) denied = true;
      if (error != -ENOENT && error != -ENOTDIR && error != -EACCES) break;
    }
    if (denied && (error == -ENOENT || error == -ENOTDIR)) error = -EACCES;
  }
  launch.start_errno = static_cast<int>(-error);
  raw(SYS_exit_group, 127);
  return 0;
}

/// True if a process other than this one is still alive in the namespace kLingerMs from now.
EVERYCRASH_BORROWED bool others_linger() {
  constexpr long kStepMs = 2;
  for (long waited = 0;; waited += kStepMs) {
    long reaped;
    do {
      reaped = raw(SYS_wait4, -1, 0, WNOHANG | __WALL);
    } while (reaped > 0);
    if (reaped < 0) return false;
    if (waited >= kLingerMs) return true;
    struct timespec pause = {0, kStepMs * 1'000'000};
    raw(SYS_nanosleep, as_long(&pause));
  }
}

EVERYCRASH_BORROWED int init_main(void* argument) {
  Launch& launch = *static_cast<Launch*>(argument);
  raw(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  // The helper may have died before this took hold; getppid() is 0 in here either way.
  struct pollfd helper = {launch.helper, POLLIN, 0};
  if (raw(SYS_poll, as_long(&helper), 1, 0) == 1) raw(SYS_exit_group, 0);
  if (launch.own_proc) {
    launch.proc_mounted = raw(SYS_mount, as_long("proc"), as_long("/proc"), as_long("proc"),
                              MS_NOSUID | MS_NODEV | MS_NOEXEC) == 0;
  }
  const int command =
      clone(command_main, command_stack + kStackSize, CLONE_VM | CLONE_VFORK | SIGCHLD, argument);
  if (command < 0) {
    launch.start_errno = EAGAIN;
  } else {
    int status = 0;
    long ended;
    do {
      ended = raw(SYS_wait4, -1, as_long(&status), __WALL);
    } while (ended != command && ended > 0);
    launch.status = status;
    launch.left_processes = others_linger();
  }
  if (launch.proc_mounted) {
    raw(SYS_umount2, as_long("/proc"), MNT_DETACH);
    launch.proc_mounted = false;
  }
  raw(SYS_exit_group, 0);
  return 0;
}

}  // namespace

Result<Launched> launch(Launch& launch) {
  Launched made;
  if (launch.pid_namespace) {
    made.process = clone(init_main, init_stack + kStackSize,
                         CLONE_VM | CLONE_FILES | CLONE_NEWPID | CLONE_PIDFD | SIGCHLD, &launch,
                         &made.descriptor);
  } else {
    made.process = clone(command_main, command_stack + kStackSize,
                         CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, &launch, &made.descriptor);
  }
  if (made.process < 0) return system_error("cannot make a process for a command", errno);
  return made;
}

}  // namespace everycrash
