// Ctrl-C: the run ends early, reports what it has found, and leaves nothing behind.
#pragma once

#include <atomic>

namespace everycrash::cli {

/// From now on SIGINT, SIGTERM and SIGHUP set interrupted() instead of ending this process; a
/// third one of them ends it at once. SIGPIPE is ignored, so that a closed output does not stop
/// the clean-up.
void catch_interrupts();

/// Set from a signal handler; lives as long as the process.
[[nodiscard]] const std::atomic<bool>& interrupted();

/// Readable once an interrupt has come; for poll(). -1 before catch_interrupts().
[[nodiscard]] int interrupt_descriptor();

}  // namespace everycrash::cli
