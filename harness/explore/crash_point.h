// A place in a trace where a crash can come. (What people call it: point_names.h.)
#pragma once

#include <compare>
#include <cstdint>

namespace everycrash {

/// Everything up to and including one record has happened, nothing behind it.
struct CrashPoint {
  uint64_t record = 0;  ///< sequence number of that record; 0 = nothing happened
  int64_t cut = -1;     ///< of a write: so many of its bytes only; -1 = all

  friend auto operator<=>(const CrashPoint&, const CrashPoint&) = default;
  [[nodiscard]] bool whole() const { return cut < 0; }
};

}  // namespace everycrash
