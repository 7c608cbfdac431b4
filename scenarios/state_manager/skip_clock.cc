#include "scenarios/state_manager/skip_clock.h"

#include <chrono>
#include <cstdio>
#include <ctime>
#include <thread>

namespace scenarios::state_manager {
namespace {

constexpr std::chrono::milliseconds kNap(1);

template <typename Clock>
int64_t read_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now().time_since_epoch())
      .count();
}

}  // namespace

int64_t SkipClock::now_ms() const {
  return start_ms_.value_or(read_ms<std::chrono::system_clock>()) + offset_ms_ + skipped_ms_;
}

int64_t SkipClock::elapsed_ms() const {
  return start_ms_.value_or(read_ms<std::chrono::steady_clock>()) + skipped_ms_;
}

void SkipClock::nap() {
  std::this_thread::sleep_for(kNap);
}

std::string format_time(int64_t time_ms) {
  const time_t seconds = time_ms / 1000;
  tm parts{};
  gmtime_r(&seconds, &parts);
  char date[32];
  const size_t length = strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &parts);
  char milliseconds[8];
  std::snprintf(milliseconds, sizeof milliseconds, ".%03dZ", static_cast<int>(time_ms % 1000));
  return std::string(date, length) + milliseconds;
}

Expected<int64_t> parse_time(const std::string& text, TimeZone zone) {
  tm parts{};
  int milliseconds = 0;
  char end = 0;
  const int fields = std::sscanf(text.c_str(), "%4d-%2d-%2dT%2d:%2d:%2d.%3d%c", &parts.tm_year,
                                 &parts.tm_mon, &parts.tm_mday, &parts.tm_hour, &parts.tm_min,
                                 &parts.tm_sec, &milliseconds, &end);
  if (fields != 8 || end != 'Z') return failed("'" + text + "' is not a time in UTC");
  parts.tm_year -= 1900;
  parts.tm_mon -= 1;
  parts.tm_isdst = -1;
  const time_t seconds = zone == TimeZone::kUtc ? timegm(&parts) : mktime(&parts);
  return static_cast<int64_t>(seconds) * 1000 + milliseconds;
}

}  // namespace scenarios::state_manager
