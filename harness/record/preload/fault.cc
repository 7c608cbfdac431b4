#include "harness/record/preload/fault.h"

#include <signal.h>
#include <sys/syscall.h>

#include "harness/record/preload/fault_hook.h"
#include "harness/record/preload/signals.h"

namespace everycrash::preload {

namespace {

constexpr long kQuestions = INT64_MIN + 16;  // plus the point; no call returns these

const FaultHook* hook = nullptr;

const FaultHook* current_hook() {
  return __atomic_load_n(&hook, __ATOMIC_ACQUIRE);
}

}  // namespace

long fault_question(const Call& call, format::Kind kind, Text path) {
  const FaultHook* asked = current_hook();
  if (asked == nullptr || call.fault != FaultAnswer::kNotAsked) return 0;
  uint32_t point = asked->point_of(static_cast<uint16_t>(kind), path.data, path.size);
  return point == 0 || point > kFaultPointsMax ? 0 : kQuestions + point;
}

bool answer_fault_question(Call& call, long result) {
  if (result <= kQuestions || result > kQuestions + kFaultPointsMax) return false;
  const FaultHook* asked = current_hook();
  auto point = static_cast<uint32_t>(result - kQuestions);
  // What the hook calls may be caught in turn, and a blocked SIGSYS would be the end.
  KernelMask sigsys = kSigsysBit;
  raw_call(SYS_rt_sigprocmask, SIG_UNBLOCK, to_long(&sigsys), 0, sizeof sigsys);
  bool fires = asked != nullptr && asked->fires(point);
  raw_call(SYS_rt_sigprocmask, SIG_BLOCK, to_long(&sigsys), 0, sizeof sigsys);
  call.fault = fires ? FaultAnswer::kHappens : FaultAnswer::kDoesNot;
  return true;
}

}  // namespace everycrash::preload

void everycrash_preload_set_fault_hook(const everycrash::preload::FaultHook* hook) {
  __atomic_store_n(&everycrash::preload::hook, hook, __ATOMIC_RELEASE);
}
