// Whether a campaign is to end early, since somebody asks for it.
#pragma once

#include <atomic>

namespace everycrash {

/// A value; refers to the flag, which must outlive all copies. Thread-safe.
struct Stop {
  const std::atomic<bool>* requested = nullptr;  ///< null = nobody ever asks
  int descriptor = -1;  ///< readable once it is requested, for poll(); -1 = none

  [[nodiscard]] bool operator()() const { return requested != nullptr && *requested; }
};

}  // namespace everycrash
