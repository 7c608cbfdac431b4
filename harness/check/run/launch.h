// Starting commands with vfork semantics, below an init of a PID namespace where there is one.
//
//   helper ──clone(VM, NEWPID)──▶ init (pid 1) ──clone(VM, VFORK)──▶ the command (pid 2)
//
// Both new processes run in the helper's memory until the command is executed, so that starting it
// costs the same however large the helper is. They therefore allocate nothing and make raw system
// calls only. The init reaps whatever the command leaves. Where it may reset the namespace's last
// PID (proc_sys_kernel(5), ns_last_pid), it then waits for the next command, which finds the
// namespace as the first one did; elsewhere, and when something had to be killed, it exits, at
// which the kernel kills everything that is still in the namespace.
#pragma once

#include <array>
#include <cstdint>

#include "harness/base/error.h"

namespace everycrash {

/// What to start, and what became of it. Must stay in place until the launched process has ended.
struct Launch {
  const char* const* programs = nullptr;  ///< paths to try in turn, nullptr-terminated
  char* const* arguments = nullptr;
  char* const* environment = nullptr;
  const char* directory = nullptr;
  int input = -1;
  int output = -1;        ///< standard output and error
  bool own_proc = false;  ///< only with a PID namespace

  // Written by the launched processes.
  volatile int start_errno = 0;          ///< why the command could not be executed, 0 = it was
  volatile int status = -1;              ///< as wait4 gave it; -1 = it has not ended
  volatile bool left_processes = false;  ///< with a PID namespace: some had to be killed
  volatile bool proc_mounted = false;    ///< a /proc is left over where the init was killed
};

/// How long a command's other processes may take to end after it, before they count as left behind.
inline constexpr int kLingerMs = 100;

/// What the init and the helper share. In the helper's memory.
struct InitOrders {
  int helper = -1;    ///< pidfd of the helper, so that nothing starts after its death
  int begin = -1;     ///< eventfd: there is a launch
  int ended = -1;     ///< eventfd: it has ended, and the init waits for the next one
  int last_pid = -1;  ///< ns_last_pid, writable; -1 = one launch an init
  Launch* volatile launch = nullptr;
};

/// Starts one command after the other. For one thread of a process that outlives them; everything
/// that it started dies with the calling process.
class Launcher {
 public:
  /// Below an init of a PID namespace if PID_NAMESPACE, else directly. Fails without descriptors.
  Status prepare(bool pid_namespace);

  /// Starts LAUNCH, which stays the caller's. Only while nothing runs. Fails if no process can be
  /// made.
  Status start(Launch& launch);

  /// One of them is readable once the command has ended; -1 = none. They stay the launcher's.
  [[nodiscard]] std::array<int, 2> descriptors() const { return {process_fd_, orders_.ended}; }

  /// Kills the command and its namespace, or without one its process group. Before finish().
  void kill();

  /// After the command has ended, or was killed: waits until the processes are gone that end with
  /// it. LAUNCH has its outcome then.
  void finish(Launch& launch);

  /// Ends the init, if one waits for the next command.
  void end();

 private:
  Status start_init();
  void end_init();
  void wait_for_process(int* status);

  bool pid_namespace_ = false;
  InitOrders orders_;
  int process_ = -1;     ///< the init, or the command itself without a PID namespace
  int process_fd_ = -1;  ///< its pidfd
  bool killed_ = false;
};

}  // namespace everycrash
