// How a path is written in the name of a crash point, so that the name means the same in another
// run: the process's own id becomes <pid>, and a random suffix as mkstemp makes it becomes
// <random>.
//
// Shared by the preload library, which looks for a point in a live run, and the tool, which names
// points of a trace: no allocation, no C++ library.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace everycrash {

namespace point_name_detail {

inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
inline bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
inline bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
inline bool is_alphanumeric(char c) {
  return is_digit(c) || is_lower(c) || is_upper(c);
}

/// mkstemp(3) puts six characters out of [A-Za-z0-9]; other libraries put eight or more. A word
/// that a person chose is rarely of mixed case, or of digits between letters of both kinds.
inline bool looks_random(const char* text, size_t size) {
  if (size < 6) return false;
  size_t upper = 0;
  size_t lower = 0;
  size_t digits = 0;
  for (size_t i = 0; i < size; ++i) {
    upper += is_upper(text[i]);
    lower += is_lower(text[i]);
    digits += is_digit(text[i]);
  }
  const bool capitalised = upper == 1 && is_upper(text[0]) && digits == 0;
  const bool all_upper = lower == 0 && digits == 0;
  if (capitalised || all_upper) return false;
  return upper > 0 && (lower > 0 || digits > 0);
}

/// Appends what fits.
inline size_t put(char* out, size_t at, size_t capacity, const char* text, size_t size) {
  if (size > capacity - at) size = capacity - at;
  memcpy(out + at, text, size);
  return at + size;
}

inline bool is_number(const char* text, size_t size, int32_t number) {
  char digits[12];
  size_t count = 0;
  for (uint32_t rest = static_cast<uint32_t>(number); rest > 0; rest /= 10) {
    digits[count++] = static_cast<char>('0' + rest % 10);
  }
  if (count != size) return false;
  for (size_t i = 0; i < size; ++i) {
    if (text[i] != digits[count - 1 - i]) return false;
  }
  return true;
}

}  // namespace point_name_detail

/// Writes PATH for PROCESS into OUT (CAPACITY bytes, not NUL-terminated); returns the size. The
/// path is taken as runs of letters and digits: a run of digits that is the process id, and a run
/// behind one of
/// ".-_" (or at the start of a name) that looks random, are replaced.
inline size_t normalise_point_path(const char* path, size_t size, int32_t process, char* out,
                                   size_t capacity) {
  namespace detail = point_name_detail;
  constexpr char kPid[] = "<pid>";
  constexpr char kRandom[] = "<random>";
  size_t at = 0;
  for (size_t i = 0; i < size;) {
    if (!detail::is_alphanumeric(path[i])) {
      at = detail::put(out, at, capacity, path + i, 1);
      ++i;
      continue;
    }
    size_t end = i;
    while (end < size && detail::is_alphanumeric(path[end])) ++end;
    if (process > 0 && detail::is_number(path + i, end - i, process)) {
      at = detail::put(out, at, capacity, kPid, sizeof kPid - 1);
    } else if (detail::looks_random(path + i, end - i)) {
      at = detail::put(out, at, capacity, kRandom, sizeof kRandom - 1);
    } else {
      at = detail::put(out, at, capacity, path + i, end - i);
    }
    i = end;
  }
  return at;
}

}  // namespace everycrash
