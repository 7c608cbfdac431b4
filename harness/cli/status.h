// What this run is doing now: the progress line, plain lines where nobody watches, and the answer
// to SIGUSR1. One run a process, so one status; all calls are thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "reports/terminal.h"

namespace everycrash::cli {

using StatusClock = std::chrono::steady_clock;

/// A phase without numbers, such as "recording ./app".
void begin_phase(std::string what);

/// A phase that judges states: WHAT of them ("power, ext4"), TOTAL of them (0 = not known), until
/// DEADLINE. The same phase again goes on.
void begin_states(const std::string& what, uint64_t total,
                  std::optional<StatusClock::time_point> deadline);

/// DONE states of this phase are judged. Draws the progress line on TERMINAL; where that is none, a
/// plain line now and then.
void tell_progress(reports::Terminal& terminal, uint64_t done, uint64_t violated);

/// "kill: 310 of 4,017 states, 2 violated, 1,200 states/s, about 3 s left": the phase, in a line.
/// NOW is for tests.
[[nodiscard]] std::string status_text(StatusClock::time_point now = StatusClock::now());

/// From now on SIGUSR1 prints status_text() on standard error, however long a single state takes.
void answer_status_requests();

}  // namespace everycrash::cli
