// Strings without the C++ library.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace everycrash::preload {

/// Bytes that someone else owns.
struct Text {
  const char* data = "";
  size_t size = 0;
};

inline Text text_of(const char* string) {
  return {string, strlen(string)};
}

inline bool starts_with(Text text, Text prefix) {
  return text.size >= prefix.size && memcmp(text.data, prefix.data, prefix.size) == 0;
}

inline bool ends_with(Text text, Text suffix) {
  return text.size >= suffix.size &&
         memcmp(text.data + text.size - suffix.size, suffix.data, suffix.size) == 0;
}

inline bool equal(Text a, Text b) {
  return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

/// For buffers that are static: they must need no constructor at run time.
struct Zeroed {};
inline constexpr Zeroed kZeroed;

/// A NUL-terminated string of bounded size; what does not fit is dropped and `cut` set.
template <size_t kCapacity>
struct Buffer {
  char data[kCapacity];
  size_t size = 0;
  bool cut = false;

  Buffer() { data[0] = 0; }
  explicit constexpr Buffer(Zeroed /*unused*/) : data{} {}
  void clear() {
    size = 0;
    cut = false;
    data[0] = 0;
  }
  void add(Text text) {
    size_t room = kCapacity - 1 - size;
    if (text.size > room) cut = true;
    size_t count = text.size < room ? text.size : room;
    memcpy(data + size, text.data, count);
    size += count;
    data[size] = 0;
  }
  void add(const char* string) { add(text_of(string)); }
  void add_number(uint64_t number) {
    char digits[20];
    size_t count = 0;
    do digits[count++] = static_cast<char>('0' + number % 10);
    while (number /= 10);
    while (count > 0) add(Text{&digits[--count], 1});
  }
  [[nodiscard]] Text text() const { return {data, size}; }
};

}  // namespace everycrash::preload
