#include "harness/record/preload/dispatch.h"

#include <errno.h>
#include <sys/syscall.h>

#include "harness/record/preload/fault.h"
#include "harness/record/preload/filter.h"
#include "harness/record/preload/gate.h"
#include "harness/record/preload/network.h"
#include "harness/record/preload/numbers.h"
#include "harness/record/preload/object.h"
#include "harness/record/preload/program.h"
#include "harness/record/preload/record_copy.h"
#include "harness/record/preload/rules.h"
#include "harness/record/preload/session.h"
#include "harness/record/preload/signals.h"

namespace everycrash::preload {

namespace {

using Handler = long (*)(const Call&);

// Handlers run on a stack of our own: programs take signals on alternate stacks of a few kilobytes,
// of which the kernel's frame alone fills most. One is enough, since the lock lets one in.
alignas(64) char stack[256 * 1024];

// Calls HANDLER(CALL) with the stack pointer at TOP. The frame pointer leads the unwinder back.
extern "C" long everycrash_call_on_stack(Handler handler, const Call* call, void* top);
asm(R"(
  .text
  .hidden everycrash_call_on_stack
  .globl everycrash_call_on_stack
  .type everycrash_call_on_stack, @function
everycrash_call_on_stack:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  movq %rdi, %rax
  movq %rsi, %rdi
  movq %rdx, %rsp
  call *%rax
  movq %rbp, %rsp
  popq %rbp
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
  .size everycrash_call_on_stack, .-everycrash_call_on_stack
)");

bool is_ours(Call& call) {
  const Rule& rule = rule_of(call.number);
  if (rule.sends) return may_be_sent_to(call.descriptor(rule.descriptor), call.status);
  if (rule.descriptor >= 0) return may_concern_us(call.descriptor(rule.descriptor), call.status);
  if (call.number == SYS_splice || call.number == SYS_sendfile) return wait_for_source(call);
  return true;
}

long answer(Call& call) {
  switch (call.number) {
    case SYS_rt_sigaction:
      return emulate_sigaction(call);
    case SYS_rt_sigprocmask:
      return emulate_sigprocmask(call);
    case SYS_rt_sigsuspend:
    case SYS_ppoll:
    case SYS_pselect6:
    case SYS_epoll_pwait:
    case kEpollPwait2:
      return make_without_sigsys(call);
    case SYS_poll:
    case SYS_epoll_wait:
      return wait_while_healing(call);
    default:
      break;
  }
  if (call.number == SYS_fsync && call.descriptor(0) == kProbeDescriptor) return kProbeAnswer;
  if (rule_of(call.number).handler == nullptr) return pass(call);
  for (;;) {
    if (!is_ours(call)) return pass(call);
    long result = make_under_lock(call);
    if (result == kTryAgain || wait_at_gate(result) || answer_fault_question(call, result)) {
      continue;
    }
    if (result == kReceivesShort) return receive_short(call);
    if (result == kHangs) {
      result = hang(call);
      if (result == kHealed) continue;
    }
    if (result != kNotOurs) return result;
    bool executes = call.number == SYS_execve || call.number == SYS_execveat;
    return executes ? execute(call) : pass(call);
  }
}

}  // namespace

long make_under_lock(const Call& call) {
  lock_session();
  long result = everycrash_call_on_stack(rule_of(call.number).handler, &call, stack + sizeof stack);
  unlock_session();
  return result;
}

void on_sigsys(int signal, siginfo_t* info, void* context) {
  constexpr int kFromFilter = 1;  // SYS_SECCOMP
  if (info->si_code != kFromFilter || info->si_errno != kFilterTag) {
    forward_sigsys(signal, info, context);
    return;
  }
  auto* interrupted = static_cast<ucontext_t*>(context);
  greg_t* registers = interrupted->uc_mcontext.gregs;
  Call call = {info->si_syscall,
               {registers[REG_RDI], registers[REG_RSI], registers[REG_RDX], registers[REG_R10],
                registers[REG_R8], registers[REG_R9]},
               interrupted,
               {}};
  long result = answer(call);
  if (result != kResumed) registers[REG_RAX] = result;
}

}  // namespace everycrash::preload
