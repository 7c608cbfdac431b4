// From a caught call to what is done with it.
#pragma once

#include <signal.h>

#include "harness/record/preload/core/call.h"

namespace everycrash::preload {

/// The handler of SIGSYS.
void on_sigsys(int signal, siginfo_t* info, void* context);

/// Runs the handler of CALL, which concerns us, under the lock and on our own stack. All signals
/// must be blocked. Answers what it answers.
long make_under_lock(const Call& call);

}  // namespace everycrash::preload
