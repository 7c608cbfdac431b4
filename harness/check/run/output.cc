#include "harness/check/run/output.h"

#include <fmt/format.h>

#include <algorithm>

namespace everycrash {

void BoundedOutput::add(std::string_view bytes) {
  const size_t first = std::min(bytes.size(), kHalf - head_.size());
  head_.append(bytes.substr(0, first));
  tail_.append(bytes.substr(first));
  // Cut now and then only: cutting at each addition would move the tail for every few bytes.
  if (tail_.size() > 2 * kHalf) {
    dropped_ += tail_.size() - kHalf;
    tail_.erase(0, tail_.size() - kHalf);
  }
}

std::string BoundedOutput::text() const {
  const size_t over = tail_.size() > kHalf ? tail_.size() - kHalf : 0;
  if (dropped_ + over == 0) return head_ + tail_;
  return fmt::format("{}\n[{} bytes left out]\n{}", head_, dropped_ + over, tail_.substr(over));
}

void BoundedOutput::clear() {
  head_.clear();
  tail_.clear();
  dropped_ = 0;
}

}  // namespace everycrash
