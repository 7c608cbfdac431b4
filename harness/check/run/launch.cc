#include "harness/check/run/launch.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/eventfd.h>
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

/// Runs the launch of ORDERS to its end. True if nothing of it is left in the namespace.
EVERYCRASH_BORROWED bool run_launch(Launch& launch) {
  if (launch.own_proc) {
    launch.proc_mounted = raw(SYS_mount, as_long("proc"), as_long("/proc"), as_long("proc"),
                              MS_NOSUID | MS_NODEV | MS_NOEXEC) == 0;
  }
  const int command =
      clone(command_main, command_stack + kStackSize, CLONE_VM | CLONE_VFORK | SIGCHLD, &launch);
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
  return command >= 0 && !launch.left_processes;
}

EVERYCRASH_BORROWED int init_main(void* argument) {
  InitOrders& orders = *static_cast<InitOrders*>(argument);
  raw(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  // The helper may have died before this took hold; getppid() is 0 in here either way.
  struct pollfd helper = {orders.helper, POLLIN, 0};
  if (raw(SYS_poll, as_long(&helper), 1, 0) == 1) raw(SYS_exit_group, 0);
  uint64_t count = 0;
  while (raw(SYS_read, orders.begin, as_long(&count), sizeof count) == sizeof count) {
    const bool clean = run_launch(*orders.launch);
    const bool reset = clean && orders.last_pid >= 0 &&
                       raw(SYS_pwrite64, orders.last_pid, as_long("1"), 1, 0) == 1;
    if (!reset) break;
    count = 1;
    raw(SYS_write, orders.ended, as_long(&count), sizeof count);
  }
  raw(SYS_exit_group, 0);
  return 0;
}

/// True if EVENT, an eventfd, was set; it is not any more.
bool take(int event) {
  struct pollfd wanted = {event, POLLIN, 0};
  eventfd_t count;
  return poll(&wanted, 1, 0) == 1 && eventfd_read(event, &count) == 0;
}

}  // namespace

Status Launcher::prepare(bool pid_namespace) {
  pid_namespace_ = pid_namespace;
  if (!pid_namespace) return {};
  orders_.helper = static_cast<int>(syscall(SYS_pidfd_open, getpid(), 0));
  orders_.begin = eventfd(0, EFD_CLOEXEC);
  orders_.ended = eventfd(0, EFD_CLOEXEC);
  // Where it cannot be had, as in most containers, each command has a namespace of its own.
  orders_.last_pid = open("/proc/sys/kernel/ns_last_pid", O_WRONLY | O_CLOEXEC);
  if (orders_.helper < 0 || orders_.begin < 0 || orders_.ended < 0) {
    return system_error("cannot prepare for commands", errno);
  }
  return {};
}

Status Launcher::start_init() {
  process_ =
      clone(init_main, init_stack + kStackSize,
            CLONE_VM | CLONE_FILES | CLONE_NEWPID | CLONE_PIDFD | SIGCHLD, &orders_, &process_fd_);
  if (process_ < 0) return system_error("cannot make a process for a command", errno);
  return {};
}

Status Launcher::start(Launch& launch) {
  killed_ = false;
  if (!pid_namespace_) {
    process_ = clone(command_main, command_stack + kStackSize,
                     CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, &launch, &process_fd_);
    if (process_ < 0) return system_error("cannot make a process for a command", errno);
    return {};
  }
  if (process_ < 0) {
    if (Status started = start_init(); !started) return started;
  }
  orders_.launch = &launch;
  eventfd_write(orders_.begin, 1);
  return {};
}

void Launcher::kill() {
  killed_ = true;
  ::kill(process_, SIGKILL);
  // The group too: without a PID namespace the rest of it is hunted down by the caller.
  if (!pid_namespace_) ::kill(-process_, SIGKILL);
}

void Launcher::wait_for_process(int* status) {
  while (waitpid(process_, status, __WALL) < 0 && errno == EINTR) {
  }
  close(process_fd_);
  process_ = process_fd_ = -1;
}

void Launcher::finish(Launch& launch) {
  if (!pid_namespace_) {
    int status = 0;
    wait_for_process(&status);
    launch.status = status;
    return;
  }
  const bool waits_for_next = take(orders_.ended) && !killed_;
  if (!waits_for_next) end_init();
}

void Launcher::end_init() {
  wait_for_process(nullptr);
  // It may have been killed before it took the one, or just after it gave the other.
  take(orders_.begin);
  take(orders_.ended);
}

void Launcher::end() {
  if (process_ < 0) return;
  kill();
  end_init();
}

}  // namespace everycrash
