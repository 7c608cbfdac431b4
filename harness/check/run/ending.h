// How a command under test ended.
#pragma once

#include <cstdint>
#include <string>

namespace everycrash {

struct Ending {
  enum class How : uint8_t { kExited, kSignaled, kTimedOut, kNotStarted } how = How::kExited;
  int value = 0;  ///< exit status, signal number, or errno; of kTimedOut its limit in milliseconds
  [[nodiscard]] bool succeeded() const { return how == How::kExited && value == 0; }
  friend bool operator==(const Ending&, const Ending&) = default;
};

[[nodiscard]] std::string describe(const Ending& ending);  ///< "exit status 3", "killed by SIGSEGV"

}  // namespace everycrash
