// Keeping SIGSYS deliverable: it must never be blocked, ignored or handled by anyone else while a
// caught call may come. The calls that could do that are themselves caught. Without the lock.
#pragma once

#include <signal.h>

#include "harness/record/preload/core/call.h"

namespace everycrash::preload {

/// A sigset_t as the kernel has it.
using KernelMask = uint64_t;
inline constexpr KernelMask kSigsysBit = KernelMask{1} << (SIGSYS - 1);

/// struct sigaction as the kernel has it.
struct KernelAction {
  void* handler;
  unsigned long flags;
  void* restorer;
  KernelMask mask;
};

/// Installs HANDLER for SIGSYS with all signals blocked while it runs. Returns 0 or an errno.
int install_handler(void (*handler)(int, siginfo_t*, void*));

long emulate_sigaction(const Call& call);
long emulate_sigprocmask(const Call& call);
/// rt_sigsuspend, ppoll, pselect6, epoll_pwait(2): a handler that runs inside them has their mask.
long make_without_sigsys(const Call& call);

/// A SIGSYS that our filter did not send: hands it to the program's own handler, or lets it kill.
void forward_sigsys(int signal, siginfo_t* info, void* context);

}  // namespace everycrash::preload
