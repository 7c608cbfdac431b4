// Stopping at a chosen operation, so that the tool can kill the workload just there. Under the
// lock.
#pragma once

#include <stdint.h>

#include "harness/record/preload/core/session.h"
#include "harness/record/preload/core/text.h"

namespace everycrash::preload {

/// Call before an operation is made: stops if it would be the chosen one and the plan says
/// "before".
void stop_before(format::Kind kind, Text path);

/// Call after an operation has succeeded: counts it if it matches, and stops if it is the chosen
/// one.
void stop_after(format::Kind kind, Text path, const Payload& payload);

/// Stops here, for good: the tool kills the whole run.
[[noreturn]] void stop_for_kill();

/// True if the run is to be killed, and nobody reads its trace but for prints, events and sends:
/// what does not lead to the point need not be caught, so that the run takes hardly longer than the
/// program alone.
bool stops_alone();

/// Looks which calls can be the chosen point. To be called once, at the start.
void find_point();

/// True if a call can be the chosen point, or has to be caught whatever that is. For runs that
/// stop alone.
bool leads_to_point(long number);

/// How many bytes of a write that is about to be made are to be written: all, or the plan's cut.
uint64_t planned_cut(format::Kind kind, Text path);

}  // namespace everycrash::preload
