// What a command printed, bounded: its beginning and its end.
#pragma once

#include <string>
#include <string_view>

namespace everycrash {

/// Keeps the first and last kHalf bytes of everything that is added.
class BoundedOutput {
 public:
  static constexpr size_t kHalf = 32 * 1024;

  void add(std::string_view bytes);
  /// All of it, or both ends with a line between that says how much is missing.
  [[nodiscard]] std::string text() const;
  void clear();

 private:
  std::string head_, tail_;
  size_t dropped_ = 0;
};

}  // namespace everycrash
