// Being told at once when a workload stands at its stop point.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>

#include "harness/base/error.h"

namespace everycrash::recording {

/// The workload says by a futex that it stands at the point, while who watches it waits for
/// descriptors: a thread of its own passes the one on to the other. Owns it, and ends it.
class StopWatch {
 public:
  /// REACHED is format::StopPlan::reached of a trace, and must outlive this.
  static Result<std::unique_ptr<StopWatch>> create(uint32_t* reached);
  StopWatch(const StopWatch&) = delete;
  StopWatch& operator=(const StopWatch&) = delete;
  ~StopWatch();

  /// Readable once the point is reached, and from then on.
  [[nodiscard]] int descriptor() const { return event_; }

 private:
  StopWatch(uint32_t* reached, int event);
  void wait_for_point();

  uint32_t* reached_;
  int event_;
  std::atomic<bool> no_longer_{false};
  std::atomic<bool> ended_{false};
  std::thread thread_;
};

}  // namespace everycrash::recording
