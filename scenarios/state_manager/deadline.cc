#include "scenarios/state_manager/deadline.h"

#include <algorithm>

namespace scenarios::state_manager {

int64_t Deadlines::remaining_ms(const std::string& step, const std::string& set_at,
                                int64_t delay_ms, int64_t longest_ms) {
  const int64_t elapsed_ms = clock_.elapsed_ms();
  const int64_t first_seen_ms = first_seen_ms_.try_emplace(step + set_at, elapsed_ms).first->second;
  const TimeZone zone = mistake_ == Break::kLocalTime ? TimeZone::kLocal : TimeZone::kUtc;
  const int64_t now_ms = clock_.now_ms();
  int64_t remaining_ms = parse_time(set_at, zone).value_or(now_ms) + delay_ms - now_ms;
  if (mistake_ != Break::kClockBackwards) {
    remaining_ms = std::min(remaining_ms, first_seen_ms + longest_ms - elapsed_ms);
  }
  return std::max<int64_t>(remaining_ms, 0);
}

}  // namespace scenarios::state_manager
