// The job's clock: real time, plus all the time that it has "slept".
//
// A backoff of 8 s or a timeout of 20 s costs no real time: sleeping moves the clock instead. Only
// while another runner lives is a sleep real, since that runner's clock would not move along.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "scenarios/state_manager/failure.h"

namespace state_manager {

/// Not thread-safe. Times are milliseconds.
class SkipClock {
 public:
  /// `offset_ms` is how far the wall clock is off (a clock that was set between two runs).
  explicit SkipClock(int64_t offset_ms = 0) : offset_ms_(offset_ms) {}

  /// Asked before each sleep: true makes that sleep real and short.
  void set_must_be_real(std::function<bool()> must_be_real) {
    must_be_real_ = std::move(must_be_real);
  }

  /// Wall clock, since 1970-01-01 UTC. May step back between two calls, as wall clocks do.
  [[nodiscard]] int64_t now_ms() const;
  /// Never steps back; counts from an arbitrary start and has no meaning to another process.
  [[nodiscard]] int64_t elapsed_ms() const;
  /// Returns once `duration_ms` have passed on this clock, or earlier if the sleep was real: the
  /// caller looks at the state again anyway.
  void sleep(int64_t duration_ms);

 private:
  int64_t offset_ms_ = 0;
  int64_t skipped_ms_ = 0;
  std::function<bool()> must_be_real_;
};

enum class TimeZone { kUtc, kLocal };

/// "2026-11-29T17:45:12.123Z"
[[nodiscard]] std::string format_time(int64_t time_ms);
/// The inverse. `zone` says whose clock the text is taken for; kUtc is right.
[[nodiscard]] Expected<int64_t> parse_time(const std::string& text, TimeZone zone);

}  // namespace state_manager
