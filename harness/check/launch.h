// Starting one command with vfork semantics, optionally below an init of its own PID namespace.
//
//   helper ──clone(VM, NEWPID)──▶ init (pid 1) ──clone(VM, VFORK)──▶ the command (pid 2)
//
// Both new processes run in the helper's memory until the command is executed, so that starting it
// costs the same however large the helper is. They therefore allocate nothing and make raw system
// calls only. The init reaps whatever the command leaves and then exits, at which the kernel kills
// everything that is still in the namespace.
#pragma once

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
  int output = -1;  ///< standard output and error
  int helper = -1;  ///< pidfd of the caller, so that nothing starts after its death
  bool pid_namespace = false;
  bool own_proc = false;  ///< only with pid_namespace

  // Written by the launched processes.
  volatile int start_errno = 0;          ///< why the command could not be executed, 0 = it was
  volatile int status = -1;              ///< as wait4 gave it; -1 = it has not ended
  volatile bool left_processes = false;  ///< with pid_namespace: some had to be killed
  volatile bool proc_mounted = false;    ///< a /proc is left over where the init was killed
};

/// How long a command's other processes may take to end after it, before they count as left behind.
inline constexpr int kLingerMs = 100;

/// A launched process: the init, or the command itself without a PID namespace.
struct Launched {
  int process = -1;
  int descriptor = -1;  ///< pidfd, readable once it has ended; the caller closes it
};

/// Starts LAUNCH. The caller waits for the process. Fails if no process can be made.
Result<Launched> launch(Launch& launch);

}  // namespace everycrash
