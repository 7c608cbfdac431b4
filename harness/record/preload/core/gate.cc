#include "harness/record/preload/core/gate.h"

#include <linux/futex.h>
#include <sys/syscall.h>

#include "harness/record/preload/core/raw_call.h"
#include "harness/trace/kind_traits.h"

namespace everycrash::preload {

namespace {

constexpr uint32_t kKeepToGates = 2;  // format::StopPlan::action

constinit uint32_t runner = 0;

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

bool keeps_to_gates(const format::FileHeader& header) {
  return header.plan.action == kKeepToGates;
}

bool gate_is_closed(format::FileHeader& header) {
  if (!keeps_to_gates(header)) return false;
  format::Gate& gate = header.gates[runner];
  if (!is_open(gate)) return true;
  __atomic_store_n(&gate.passed, gate.passed + 1, __ATOMIC_RELEASE);
  return false;
}

void count_change(format::FileHeader& header, const format::RecordHeader& record) {
  if (!keeps_to_gates(header) || record.result < 0) return;
  const auto kind = static_cast<format::Kind>(record.kind);
  const bool opened = kind == format::Kind::kOpen && (record.flags & format::kCreated) == 0;
  if (!waits_for_turn(kind) || opened || kind == format::Kind::kClose) return;
  format::Gate& gate = header.gates[runner];
  __atomic_store_n(&gate.changed, gate.changed + 1, __ATOMIC_RELEASE);
}

bool wait_at_gate(format::FileHeader& header, long result) {
  if (result != kGateQuestion) return false;
  format::Gate& gate = header.gates[runner];
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
