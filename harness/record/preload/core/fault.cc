#include "harness/record/preload/core/fault.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#include "harness/record/preload/core/clock.h"
#include "harness/record/preload/core/plan.h"
#include "harness/record/preload/core/session.h"
#include "harness/record/preload/core/signals.h"
#include "harness/record/preload/core/user_memory.h"
#include "harness/record/preload/fault_hook.h"

namespace everycrash::preload {

namespace {

const FaultHook* hook = nullptr;

const FaultHook* current_hook() {
  return __atomic_load_n(&hook, __ATOMIC_ACQUIRE);
}

// Signals come once the handler has returned, as after a call that took so long.
void sleep_ms(int64_t duration) {
  timespec left = {duration / 1000, duration % 1000 * 1'000'000};
  raw_call(SYS_nanosleep, to_long(&left), 0);
}

// True in a thread that libc knows. Go makes its own where it can do without libc, and there %fs
// leads elsewhere: errno, locks and all else that a libc keeps for a thread is not there.
bool is_thread_of_libc() {
  constexpr long kGetFs = 0x1003;  // ARCH_GET_FS of <asm/prctl.h>
  struct {
    uint64_t tcb, vector, self;  // its own address stands in it twice: glibc's tcbhead_t
  } head = {};
  uint64_t base = 0;
  if (raw_call(SYS_arch_prctl, kGetFs, to_long(&base)) != 0 || base == 0) return false;
  return copy_from_user(&head, reinterpret_cast<void*>(base), sizeof head) && head.tcb == base &&
         head.self == base;
}

// For all processes of the run; the library of faults shows it to them.
void set_clock(int64_t shift_ms) {
  session.header->faults.clock_shift_ns = shift_ms * 1'000'000;
  session.header->faults.clock_since_ns = now_ns();
}

}  // namespace

bool faults_are_planned() {
  return current_hook() != nullptr;
}

bool fault_is_due(const Call& call, uint16_t kind, Text path, int64_t bytes, int64_t overwrites) {
  const FaultHook* asked = current_hook();
  if (asked == nullptr || call.fault != FaultAnswer::kNotAsked) return false;
  const uint64_t connection = S_ISSOCK(call.status.st_mode) ? call.status.st_ino : 0;
  const FaultQuery query = {kind, path.data, path.size, bytes, connection, overwrites};
  bool due = asked->plan(&query, &session.header->faults, &call.order);
  if (!due) call.fault = FaultAnswer::kDoesNot;
  return due;
}

bool answer_fault_question(Call& call, long result) {
  if (result != kFaultQuestion) return false;
  const FaultHook* asked = current_hook();
  // What the hook calls may be caught in turn, and a blocked SIGSYS would be the end.
  KernelMask sigsys = kSigsysBit;
  raw_call(SYS_rt_sigprocmask, SIG_UNBLOCK, to_long(&sigsys), 0, sizeof sigsys);
  // The hook needs libc. Where that cannot be, it happens as planned.
  bool fires = asked != nullptr && (!is_thread_of_libc() || asked->fires(call.order.fault));
  raw_call(SYS_rt_sigprocmask, SIG_BLOCK, to_long(&sigsys), 0, sizeof sigsys);
  call.fault = fires ? FaultAnswer::kHappens : FaultAnswer::kDoesNot;
  if (!fires) return true;
  if (call.order.fault < format::FaultState::kFaultsMax) {
    __atomic_add_fetch(&session.header->faults.fired[call.order.fault], 1, __ATOMIC_RELAXED);
  }
  if (call.order.what == FaultOrder::kDelay) sleep_ms(call.order.value);
  return true;
}

void obey_before(const Call& call) {
  const FaultOrder* order = order_of(call);
  if (order == nullptr) return;
  if (order->what == FaultOrder::kKillBefore) stop_for_kill();
  if (order->what == FaultOrder::kSetClock) set_clock(order->value);
}

uint64_t ordered_cut(const Call& call) {
  const FaultOrder* order = order_of(call);
  if (order == nullptr || order->what != FaultOrder::kShorten) return ~uint64_t{0};
  return static_cast<uint64_t>(order->value);
}

}  // namespace everycrash::preload

everycrash::format::FaultState* everycrash_preload_set_fault_hook(
    const everycrash::preload::FaultHook* hook) {
  __atomic_store_n(&everycrash::preload::hook, hook, __ATOMIC_RELEASE);
  auto* header = everycrash::preload::session.header;
  return header == nullptr ? nullptr : &header->faults;
}
