// The frames of an interpreter as the trace keeps them (harness/trace/format.h).
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "harness/record/preload/core/text.h"
#include "harness/trace/format.h"

namespace everycrash::preload {

/// Whole frames only: what does not fit any more is left out, and nothing is added behind it.
class FrameText {
 public:
  static constexpr size_t kFileMax = 1024;
  static constexpr size_t kFunctionMax = 256;

  void clear() {
    size_ = count_ = 0;
    full_ = false;
  }
  void add(uint32_t line, Text function, Text file) {
    Buffer<16> number;
    number.add_number(line);
    const size_t size = number.size + function.size + file.size + 3;
    full_ = full_ || count_ == format::kScriptFramesMax || size > sizeof data_ - size_;
    if (full_) return;
    add_field(number.text());
    add_field(function);
    add_field(file);
    ++count_;
  }
  [[nodiscard]] bool full() const { return full_ || count_ == format::kScriptFramesMax; }
  [[nodiscard]] size_t count() const { return count_; }
  [[nodiscard]] Text text() const { return {data_, size_}; }

 private:
  void add_field(Text field) {
    memcpy(data_ + size_, field.data, field.size);
    size_ += field.size;
    data_[size_++] = 0;
  }

  char data_[16 * 1024] = {};
  size_t size_ = 0;
  size_t count_ = 0;
  bool full_ = false;
};

}  // namespace everycrash::preload
