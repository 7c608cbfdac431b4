// Who is told how a campaign gets on: a terminal, a log, nobody.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/base/crash_kind.h"

namespace everycrash {

/// Told by one thread at a time; what is not of interest need not be overridden. It changes nothing
/// about what is found.
class Progress {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  virtual ~Progress() = default;
  virtual void recording(const std::string& /*program*/) {}
  virtual void judging_undisturbed() {}
  /// States are going to be judged, TOTAL of them (0 = not known), until DEADLINE. The same crash
  /// kind and model again goes on.
  virtual void begin_states(CrashKind /*crash*/, std::string_view /*model*/, uint64_t /*total*/,
                            std::optional<TimePoint> /*deadline*/) {}
  virtual void judged(size_t /*done*/, size_t /*violated*/) {}
  /// Recovery NUMBER of TOTAL, from 1, is going to be crashed: it follows CRASHES of them.
  virtual void recovering(uint32_t /*crashes*/, size_t /*number*/, size_t /*total*/) {}
  /// Of the orders of two runners with so many preemptions.
  virtual void ran_pair(int /*preemptions*/, uint64_t /*done*/, size_t /*total*/,
                        uint64_t /*violated*/) {}
  virtual void judged_on_disk(const std::string& /*file_system*/, size_t /*schedule*/,
                              uint64_t /*done*/, uint64_t /*violated*/) {}
  /// What was begun last is over.
  virtual void end() {}
};

}  // namespace everycrash
