#include "harness/record/preload/core/signals.h"

#include <errno.h>
#include <sys/syscall.h>

#include "harness/record/preload/core/user_memory.h"

namespace everycrash::preload {

namespace {

constexpr unsigned long kRestorerFlag = 0x04000000;  // SA_RESTORER
constexpr long kMaskSize = sizeof(KernelMask);

// What the program believes to be the action of SIGSYS.
KernelAction programs_action = {};

}  // namespace

int install_handler(void (*handler)(int, siginfo_t*, void*)) {
  // SA_ONSTACK: a caught call may come from a small stack (goroutines), whose owner has then set an
  // alternate one for signals.
  KernelAction action = {reinterpret_cast<void*>(handler), SA_SIGINFO | SA_ONSTACK | kRestorerFlag,
                         reinterpret_cast<void*>(kRestorerAddress), ~KernelMask{0}};
  long result = raw_call(SYS_rt_sigaction, SIGSYS, to_long(&action), 0, kMaskSize);
  KernelMask sigsys = kSigsysBit;
  if (result == 0) {
    result = raw_call(SYS_rt_sigprocmask, SIG_UNBLOCK, to_long(&sigsys), 0, kMaskSize);
  }
  return static_cast<int>(-result);
}

long emulate_sigaction(const Call& call) {
  auto* wanted = call.pointer<KernelAction>(1);
  auto* old = call.pointer<KernelAction>(2);
  KernelAction action = {};
  if (wanted != nullptr && !copy_from_user(&action, wanted, sizeof action)) return -EFAULT;
  if (call.arguments[0] == SIGSYS) {
    KernelAction before = programs_action;
    if (wanted != nullptr) programs_action = action;
    if (old != nullptr) *old = before;
    return 0;
  }
  action.mask &= ~kSigsysBit;
  return raw_call(call.number, call.arguments[0], to_long(&action), to_long(old),
                  call.arguments[3]);
}

long emulate_sigprocmask(const Call& call) {
  KernelMask set = 0;
  if (call.arguments[3] != kMaskSize) return -EINVAL;
  if (!copy_from_user(&set, call.pointer<void>(1), sizeof set)) return -EFAULT;
  set &= ~kSigsysBit;
  // The mask in the context is the caller's; what the kernel holds now is that of our handler.
  KernelMask& mask = call.mask();
  KernelMask before = mask;
  switch (call.arguments[0]) {
    case SIG_BLOCK:
      mask |= set;
      break;
    case SIG_SETMASK:
      mask = set;
      break;
    default:
      return -EINVAL;
  }
  auto* old = call.pointer<KernelMask>(2);
  if (old != nullptr) *old = before;
  return 0;
}

long make_without_sigsys(const Call& call) {
  struct Pair {
    const KernelMask* mask;
    long size;
  } pair = {};
  const KernelMask* given = nullptr;
  uintptr_t resume = kResumeMaskFifth;  // epoll_pwait, epoll_pwait2
  switch (call.number) {
    case SYS_rt_sigsuspend:
      resume = kResumeMaskFirst;
      given = call.pointer<KernelMask>(0);
      break;
    case SYS_ppoll:
      resume = kResumeMaskFourth;
      given = call.pointer<KernelMask>(3);
      break;
    case SYS_pselect6:
      resume = kResumeMaskPair;
      if (!copy_from_user(&pair, call.pointer<void>(5), sizeof pair)) return -EFAULT;
      given = pair.mask;
      break;
    default:
      given = call.pointer<KernelMask>(4);
  }
  KernelMask mask = 0;
  // What is wrong with a bad mask, the kernel will say.
  if (given == nullptr || !copy_from_user(&mask, given, sizeof mask)) return pass(call);
  call.context->uc_mcontext.gregs[REG_R11] = static_cast<greg_t>(mask & ~kSigsysBit);
  return pass(call, resume);
}

void forward_sigsys(int signal, siginfo_t* info, void* context) {
  void* handler = programs_action.handler;
  if (handler == reinterpret_cast<void*>(SIG_IGN)) return;
  if (handler == reinterpret_cast<void*>(SIG_DFL)) {
    KernelAction standard = {};
    raw_call(SYS_rt_sigaction, SIGSYS, to_long(&standard), 0, kMaskSize);
    raw_call(SYS_tkill, raw_call(SYS_gettid), SIGSYS);
    return;  // it is blocked until the handler has returned
  }
  // The program's handler may make caught calls, with the mask that it asked for.
  KernelMask mask = *reinterpret_cast<KernelMask*>(&static_cast<ucontext_t*>(context)->uc_sigmask);
  mask = (mask | programs_action.mask) & ~kSigsysBit;
  raw_call(SYS_rt_sigprocmask, SIG_SETMASK, to_long(&mask), 0, kMaskSize);
  if ((programs_action.flags & SA_SIGINFO) != 0) {
    reinterpret_cast<void (*)(int, siginfo_t*, void*)>(handler)(signal, info, context);
  } else {
    reinterpret_cast<void (*)(int)>(handler)(signal);
  }
}

}  // namespace everycrash::preload
