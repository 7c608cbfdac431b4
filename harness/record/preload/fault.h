// Asking whether a call is to meet a fault instead of being made.
//
// Which fault is planned can only be told under the lock, where the path is known; whether it
// happens only outside it (fault_hook.h). So a handler returns the question instead of a result,
// and is called again once the question is answered.
#pragma once

#include "harness/record/preload/call.h"
#include "harness/record/preload/text.h"
#include "harness/trace/format.h"

namespace everycrash::preload {

/// What a handler is to return before it makes CALL, or 0 if there is nothing (more) to ask. Under
/// the lock.
long fault_question(const Call& call, format::Kind kind, Text path);

/// True if RESULT is a question; CALL then has its answer. Without the lock.
bool answer_fault_question(Call& call, long result);

}  // namespace everycrash::preload
