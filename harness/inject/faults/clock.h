// The clock of a workload, off by some time. What it sees follows one rule: from a moment of the
// real clock on, every time is shifted, be it read from a clock or from a file. So a file that was
// written before keeps its age, and one that is written after it has the time at which the program
// believes to have written it.
//
// The functions of libc that tell the time of day are replaced by symbol, since they ask the vDSO
// and make no system call. Not covered: programs that ask the vDSO or the kernel themselves, and
// waits that end at a time of day. Clocks that only count on (CLOCK_MONOTONIC) are never touched,
// as where somebody sets a clock.
#pragma once

#include <stdint.h>

#include "harness/trace/format.h"

namespace everycrash::faults {

/// What the clock follows from now on: shared by all processes of a run, or of this one alone.
void follow_clock(format::FaultState* state);

/// Sets the clock off by SHIFT_MS, from the moment at which the first process of the run started:
/// the others find that in the environment, or in the state they follow.
void set_clock_from_start(int64_t shift_ms);

}  // namespace everycrash::faults
