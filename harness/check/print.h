// When something was printed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace everycrash {

/// A print that was complete once that many bytes of standard output had been written.
struct Print {
  size_t bytes;
  uint64_t sequence;
};

}  // namespace everycrash
