#include "harness/record/preload/signals.h"

#include <errno.h>
#include <sys/syscall.h>

#include "harness/record/preload/user_memory.h"

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
  Call changed = call;
  KernelMask mask = 0;
  int index = call.number == SYS_rt_sigsuspend ? 0
              : call.number == SYS_ppoll       ? 3
              : call.number == SYS_pselect6    ? 5
                                               : 4;
  const KernelMask* given = call.pointer<KernelMask>(index);
  if (call.number == SYS_pselect6) {
    if (!copy_from_user(&pair, given, sizeof pair)) return -EFAULT;
    given = pair.mask;
    pair.mask = &mask;
    changed.arguments[index] = to_long(&pair);
  } else {
    changed.arguments[index] = to_long(&mask);
  }
  if (given == nullptr) return pass(call);
  if (!copy_from_user(&mask, given, sizeof mask)) return -EFAULT;
  mask &= ~kSigsysBit;
  return changed.make();
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
  if ((programs_action.flags & SA_SIGINFO) != 0) {
    reinterpret_cast<void (*)(int, siginfo_t*, void*)>(handler)(signal, info, context);
  } else {
    reinterpret_cast<void (*)(int)>(handler)(signal);
  }
}

}  // namespace everycrash::preload
