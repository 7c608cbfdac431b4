// The job's clock: real time, plus all the time that it has "slept".
//
// A backoff of 8 s or a timeout of 20 s costs no real time: sleeping moves the clock instead.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scenarios/common/failure.h"

namespace scenarios::state_manager {

/// Not thread-safe. Times are milliseconds.
class SkipClock {
 public:
  /// `offset_ms` is how far the wall clock is off (a clock that was set between two runs). With
  /// `start_ms` real time does not count: the clock begins there and moves by skip alone.
  explicit SkipClock(int64_t offset_ms = 0, std::optional<int64_t> start_ms = std::nullopt)
      : offset_ms_(offset_ms), start_ms_(start_ms) {}

  /// Wall clock, since 1970-01-01 UTC. May step back between two calls, as wall clocks do.
  [[nodiscard]] int64_t now_ms() const;
  /// Never steps back; counts from an arbitrary start and has no meaning to another process.
  [[nodiscard]] int64_t elapsed_ms() const;
  /// Moves the clock on by that time.
  void skip(int64_t duration_ms) { skipped_ms_ += duration_ms; }
  /// Lets a little real time pass: for waiting on another process, whose clock does not move along.
  static void nap();

 private:
  int64_t offset_ms_ = 0;
  std::optional<int64_t> start_ms_;
  int64_t skipped_ms_ = 0;
};

enum class TimeZone { kUtc, kLocal };

/// "2026-11-29T17:45:12.123Z"
[[nodiscard]] std::string format_time(int64_t time_ms);
/// The inverse. `zone` says whose clock the text is taken for; kUtc is right.
[[nodiscard]] Expected<int64_t> parse_time(const std::string& text, TimeZone zone);

}  // namespace scenarios::state_manager
