#include "harness/record/preload/calls/dispatch.h"

#include <errno.h>
#include <sys/syscall.h>

#include "harness/record/preload/calls/handlers.h"
#include "harness/record/preload/calls/program.h"
#include "harness/record/preload/calls/record_copy.h"
#include "harness/record/preload/core/fault.h"
#include "harness/record/preload/core/filter.h"
#include "harness/record/preload/core/gate.h"
#include "harness/record/preload/core/object.h"
#include "harness/record/preload/core/session.h"
#include "harness/record/preload/core/signals.h"
#include "harness/record/preload/network/network.h"
#include "harness/record/system_calls.h"

namespace everycrash::preload {

namespace {

using calls::Handler;
using calls::SystemCall;

// Handlers run on a stack of our own: programs take signals on alternate stacks of a few kilobytes,
// of which the kernel's frame alone fills most. One is enough, since the lock lets one in.
alignas(64) char stack[256 * 1024];

// Calls HANDLER(CALL) with the stack pointer at TOP. The frame pointer leads the unwinder back.
extern "C" long everycrash_call_on_stack(HandlerFunction handler, const Call* call, void* top);
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

bool is_ours(const SystemCall& known, Call& call) {
  if (known.streams) return may_be_sent_to(call.descriptor(known.descriptor), call.status);
  if (known.descriptor >= 0) return may_concern_us(call.descriptor(known.descriptor), call.status);
  const bool copies = known.handler == Handler::kSplice || known.handler == Handler::kSendfile;
  return copies ? wait_for_source(call) : true;
}

long answer(Call& call) {
  if (call.number == SYS_fsync && call.descriptor(0) == kProbeDescriptor) return kProbeAnswer;
  const SystemCall* known = calls::find(call.number);
  if (known == nullptr) return pass(call);
  if (!runs_under_lock(known->handler)) return function_of(known->handler)(call);
  for (;;) {
    if (!is_ours(*known, call)) return pass(call);
    long result = make_under_lock(call);
    if (result == kTryAgain || wait_at_gate(*session.header, result) ||
        answer_fault_question(call, result)) {
      continue;
    }
    if (result == kReceivesShort) return receive_short(call);
    if (result == kHangs) {
      result = hang(call);
      if (result == kHealed) continue;
    }
    if (result != kNotOurs) return result;
    return known->handler == Handler::kExecute ? execute(call) : pass(call);
  }
}

}  // namespace

long make_under_lock(const Call& call) {
  lock_session();
  HandlerFunction handler = function_of(calls::find(call.number)->handler);
  long result = everycrash_call_on_stack(handler, &call, stack + sizeof stack);
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
