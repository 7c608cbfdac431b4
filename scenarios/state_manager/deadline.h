// When another runner's time is over, by a wall clock that may be set back meanwhile.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "scenarios/state_manager/break_table.h"
#include "scenarios/state_manager/skip_clock.h"

namespace scenarios::state_manager {

/// Deadlines in the state are wall-clock times, since they must outlive the process that set them.
/// One that lies further ahead than it can (the clock stepped back) would hold the job up for
/// hours, so none counts for longer than its `longest_ms` after this runner first saw it, on a
/// clock that never steps back. Not thread-safe; does not own the clock.
class Deadlines {
 public:
  Deadlines(const SkipClock& clock, Break mistake) : clock_(clock), mistake_(mistake) {}

  /// Milliseconds until `set_at` + `delay_ms`, not negative. `step` and `set_at` name the deadline.
  /// A time that cannot be read counts as now.
  [[nodiscard]] int64_t remaining_ms(const std::string& step, const std::string& set_at,
                                     int64_t delay_ms, int64_t longest_ms);

 private:
  const SkipClock& clock_;
  Break mistake_;
  std::map<std::string, int64_t> first_seen_ms_;
};

}  // namespace scenarios::state_manager
