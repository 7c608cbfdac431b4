// Waiting for one's turn, where several instances of the workload run at once and the tool says
// which of them makes the next operation.
//
// Whether it is one's turn is asked under the lock, where it is known that a call is an operation;
// the waiting is done without it, so that the other instance can go on. So a handler returns a
// question, as it does for faults (fault.h), and is called again when it is its turn: what it had
// looked up by then may be old.
#pragma once

#include <stdint.h>

#include "harness/trace/format.h"

namespace everycrash::preload {

/// What a handler returns instead of a result; no system call does.
inline constexpr long kGateQuestion = INT64_MIN + 3;

/// Which instance of the workload this process belongs to. To be called once, at the start.
void set_runner(const char* number);
[[nodiscard]] uint32_t this_runner();

// HEADER is that of the trace, which all instances share.

/// True if the operation that is about to be made has to wait for its turn, for which the handler
/// is then to return kGateQuestion; otherwise it is counted. Under the lock.
bool gate_is_closed(format::FileHeader& header);

/// True if operations wait for their turn at all.
[[nodiscard]] bool keeps_to_gates(const format::FileHeader& header);

/// Counts RECORD if this instance has got on with it: it succeeded, and was not merely to look
/// whether a lock is free. Under the lock.
void count_change(format::FileHeader& header, const format::RecordHeader& record);

/// True if RESULT is the question; it is this instance's turn then. Without the lock.
bool wait_at_gate(format::FileHeader& header, long result);

}  // namespace everycrash::preload
