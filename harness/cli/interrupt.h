// Ctrl-C: the run ends early, reports what it has found, and leaves nothing behind.
#pragma once

#include <atomic>

#include "harness/campaign/stop.h"

namespace everycrash::cli {

/// From now on SIGINT, SIGTERM and SIGHUP set interrupted() instead of ending this process; a
/// third one of them ends it at once. SIGPIPE is ignored, so that a closed output does not stop
/// the clean-up.
void catch_interrupts();

/// Set from a signal handler; lives as long as the process.
[[nodiscard]] const std::atomic<bool>& interrupted();

/// The same for a campaign. After catch_interrupts().
[[nodiscard]] Stop asked_to_stop();

}  // namespace everycrash::cli
