#include "harness/record/preload/gate.h"

#include <linux/futex.h>
#include <sys/syscall.h>

#include "harness/record/preload/raw_call.h"
#include "harness/record/preload/session.h"
#include "harness/trace/kind_traits.h"

namespace everycrash::preload {

namespace {

constexpr uint32_t kKeepToGates = 2;  // format::StopPlan::action

constinit uint32_t runner = 0;

format::Gate& own_gate() {
  return session.header->gates[runner];
}

bool is_open(const format::Gate& gate) {
  return __atomic_load_n(&gate.passed, __ATOMIC_RELAXED) <
         __atomic_load_n(&gate.limit, __ATOMIC_ACQUIRE);
}

}  // namespace

void set_runner(const char* number) {
  runner = number != nullptr && number[0] == '1' ? 1 : 0;
}

uint32_t this_runner() {
  return runner;
}

bool keeps_to_gates() {
  return session.header->plan.action == kKeepToGates;
}

bool gate_is_closed() {
  if (!keeps_to_gates()) return false;
  format::Gate& gate = own_gate();
  if (!is_open(gate)) return true;
  __atomic_store_n(&gate.passed, gate.passed + 1, __ATOMIC_RELEASE);
  return false;
}

void count_change(const format::RecordHeader& record) {
  if (!keeps_to_gates() || record.result < 0) return;
  const auto kind = static_cast<format::Kind>(record.kind);
  const bool opened = kind == format::Kind::kOpen && (record.flags & format::kCreated) == 0;
  if (!waits_for_turn(kind) || opened || kind == format::Kind::kClose) return;
  format::Gate& gate = own_gate();
  __atomic_store_n(&gate.changed, gate.changed + 1, __ATOMIC_RELEASE);
}

bool wait_at_gate(long result) {
  if (result != kGateQuestion) return false;
  format::Gate& gate = own_gate();
  __atomic_add_fetch(&gate.waiting, 1, __ATOMIC_RELEASE);
  for (;;) {
    uint32_t seen = __atomic_load_n(&gate.changes, __ATOMIC_ACQUIRE);
    if (is_open(gate)) break;
    raw_call(SYS_futex, to_long(&gate.changes), FUTEX_WAIT, seen, 0);
  }
  __atomic_sub_fetch(&gate.waiting, 1, __ATOMIC_RELEASE);
  return true;
}

}  // namespace everycrash::preload
