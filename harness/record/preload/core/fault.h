// Asking whether a call is to meet a fault instead of being made.
//
// Which fault is planned can only be told under the lock, where the path is known; whether it
// happens only outside it (fault_hook.h). So a handler returns the question instead of a result,
// and is called again once the question is answered. Handlers that use Recording need not care:
// its make() and finish() hand the question on.
#pragma once

#include "harness/record/preload/core/call.h"
#include "harness/record/preload/core/text.h"
#include "harness/trace/format.h"

namespace everycrash::preload {

/// What a handler returns instead of a result; no system call does.
inline constexpr long kFaultQuestion = INT64_MIN + 16;

/// True if a fault is due for CALL, for which the handler is then to return kFaultQuestion. Always
/// false once that was answered. KIND as in FaultQuery; BYTES is what it is to write,
/// of which the first OVERWRITES need no room on a disk. Under the lock.
bool fault_is_due(const Call& call, uint16_t kind, Text path, int64_t bytes,
                  int64_t overwrites = 0);

/// The order that CALL has to follow, or null: none was given, or libfiu had it switched off.
inline const FaultOrder* order_of(const Call& call) {
  return call.fault == FaultAnswer::kHappens ? &call.order : nullptr;
}

/// True if RESULT is a question; CALL then has its answer, and has been delayed where that was the
/// order. Without the lock.
bool answer_fault_question(Call& call, long result);

/// How many bytes a call may move that is ordered to be cut short; ~0 = all.
uint64_t ordered_cut(const Call& call);

/// True if this run has faults at all: else what is asked about need not be found out.
bool faults_are_planned();

/// Carries out what CALL is ordered to do before it is made: the run ends here, the clock jumps.
/// Under the lock.
void obey_before(const Call& call);

}  // namespace everycrash::preload
