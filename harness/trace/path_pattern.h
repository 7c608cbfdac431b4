// A path without what differs from run to run: the number of a process becomes "<pid>", a UUID or a
// random suffix as mkstemp makes it becomes "<random>" (where nothing marks it as one, only if the
// run has shown that it is: chance_names.h).
//
// Free of the C++ library and of allocation, like format.h.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace everycrash::point {

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

/// True if it mixes digits with letters or upper with lower case. (All of one kind is rather a word
/// or a number.)
inline bool is_mixed(const char* text, size_t size) {
  bool digit = false, lower = false, upper = false;
  for (size_t i = 0; i < size; ++i) {
    digit = digit || is_digit(text[i]);
    lower = lower || is_lower(text[i]);
    upper = upper || is_upper(text[i]);
  }
  return (digit ? 1 : 0) + (lower ? 1 : 0) + (upper ? 1 : 0) >= 2;
}

/// Where a random suffix begins, or SIZE if there is none: a last run of at least six letters and
/// digits behind '.', '-', '_', or behind a leading "tmp" or "sed", that is mixed.
inline size_t random_suffix(const char* path, size_t size) {
  constexpr size_t kShortest = 6;
  size_t start = size;
  while (start > 0 && (is_alphanumeric(path[start - 1]))) --start;
  bool whole_name = start == 0 || path[start - 1] == '/';
  if (whole_name) {
    const char* name = path + start;
    bool known =
        size - start >= 3 + kShortest && ((name[0] == 't' && name[1] == 'm' && name[2] == 'p') ||
                                          (name[0] == 's' && name[1] == 'e' && name[2] == 'd'));
    if (!known) return size;
    start += 3;
  } else if (path[start - 1] != '.' && path[start - 1] != '-' && path[start - 1] != '_') {
    return size;
  }
  if (size - start < kShortest) return size;
  return is_mixed(path + start, size - start) ? start : size;
}

/// True if a UUID as it is written begins there: 36 characters, like
/// "550e8400-e29b-41d4-a716-446655440000", and no more letters and digits at either end. (RFC 9562)
inline bool is_uuid_at(const char* path, size_t size, size_t at) {
  constexpr char kForm[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  constexpr size_t kLength = sizeof kForm - 1;
  if (size - at < kLength || (at > 0 && is_alphanumeric(path[at - 1]))) return false;
  for (size_t i = 0; i < kLength; ++i) {
    const char c = path[at + i];
    const bool digit = is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    if (kForm[i] == '-' ? c != '-' : !digit) return false;
  }
  return at + kLength == size || !is_alphanumeric(path[at + kLength]);
}
inline constexpr size_t kUuidLength = 36;

/// Some bytes of a path.
struct Part {
  size_t begin = 0, end = 0;
  [[nodiscard]] bool empty() const { return begin == end; }
};

/// The run of digits before END, if it is what Go, Java and others write a random number as: at
/// least seven, of which the first is no 0.
inline Part random_number(const char* path, size_t end) {
  constexpr size_t kShortest = 7;
  constexpr size_t kLongest = 20;
  size_t begin = end;
  while (begin > 0 && is_digit(path[begin - 1])) --begin;
  if (end - begin < kShortest || end - begin > kLongest || path[begin] == '0') return {};
  return {begin, end};
}

/// The letters and digits between END and the '.', '-' or '_' before it, if they are more than
/// eight and mix both, as JavaScript writes a random number.
inline Part random_word(const char* path, size_t end) {
  constexpr size_t kShortest = 9;
  constexpr size_t kLongest = 64;
  size_t begin = end;
  bool digit = false;
  bool letter = false;
  for (; begin > 0 && is_alphanumeric(path[begin - 1]); --begin) {
    digit = digit || is_digit(path[begin - 1]);
    letter = letter || !is_digit(path[begin - 1]);
  }
  const bool apart =
      begin > 0 && (path[begin - 1] == '.' || path[begin - 1] == '-' || path[begin - 1] == '_');
  if (!apart || !digit || !letter || end - begin < kShortest || end - begin > kLongest) return {};
  return {begin, end};
}

/// What chance has chosen of a name of a temporary file, if it has chosen any of it: six to eight
/// letters, digits and '_', mixed, or a long number, or a long word behind a mark, at the end or
/// before a '~' or an extension. Empty if nothing looks so, or stable_path() knows it anyway. Only
/// where more is known than the path.
inline Part chance_part(const char* path, size_t size) {
  constexpr size_t kShortest = 6;
  constexpr size_t kLongest = 8;
  const auto is_chosen = [](char c) { return is_alphanumeric(c) || c == '_'; };
  if (random_suffix(path, size) < size) return {};
  for (size_t at = 0; at < size; ++at) {
    if (is_uuid_at(path, size, at)) return {};
  }
  size_t end = size;
  if (end > 0 && path[end - 1] == '~') --end;
  if (const Part number = random_number(path, end); !number.empty()) return number;
  size_t dot = end;
  while (dot > 0 && is_alphanumeric(path[dot - 1])) --dot;
  const bool extension = dot > 1 && dot < end && path[dot - 1] == '.' && is_chosen(path[dot - 2]);
  if (extension) end = dot - 1;
  if (const Part number = random_number(path, end); !number.empty()) return number;
  if (const Part word = random_word(path, end); !word.empty()) return word;
  size_t begin = end;
  while (begin > 0 && end - begin < kLongest && is_chosen(path[begin - 1])) --begin;
  if (end - begin < kShortest || !is_mixed(path + begin, end - begin)) return {};
  return {begin, end};
}

/// Writes the stable form of PATH to OUT (at most CAPACITY bytes, no NUL) and returns its size.
/// IS_PROCESS says whether a number is the id of a recorded process; numbers of fewer than three
/// digits are never taken for one.
template <typename IsProcess>
size_t stable_path(const char* path, size_t size, IsProcess is_process, char* out,
                   size_t capacity) {
  size_t used = 0;
  auto add = [&](char c) {
    if (used < capacity) out[used++] = c;
  };
  auto add_word = [&](const char* word) {
    for (; *word != 0; ++word) add(*word);
  };
  const bool ends_in_uuid = size >= kUuidLength && is_uuid_at(path, size, size - kUuidLength);
  size_t end = ends_in_uuid ? size : random_suffix(path, size);
  for (size_t at = 0; at < end;) {
    if (is_uuid_at(path, end, at)) {
      add_word("<random>");
      at += kUuidLength;
      continue;
    }
    if (!is_digit(path[at])) {
      add(path[at++]);
      continue;
    }
    size_t stop = at;
    int64_t number = 0;
    while (stop < end && is_digit(path[stop])) {
      if (number < INT32_MAX) number = number * 10 + (path[stop] - '0');
      ++stop;
    }
    bool process = stop - at >= 3 && path[at] != '0' && number <= INT32_MAX &&
                   is_process(static_cast<int32_t>(number));
    if (process) {
      add_word("<pid>");
    } else {
      for (size_t i = at; i < stop; ++i) add(path[i]);
    }
    at = stop;
  }
  if (end < size) add_word("<random>");
  return used;
}

/// PATH with "<random>" for what chance may have chosen; its size, or 0 if that is nothing or does
/// not fit.
inline size_t chance_pattern(const char* path, size_t size, char* out, size_t capacity) {
  constexpr char kRandom[] = "<random>";
  constexpr size_t kWord = sizeof kRandom - 1;
  const Part part = chance_part(path, size);
  if (part.empty() || size + kWord > capacity) return 0;
  size_t used = 0;
  for (size_t i = 0; i < part.begin; ++i) out[used++] = path[i];
  for (size_t i = 0; i < kWord; ++i) out[used++] = kRandom[i];
  for (size_t i = part.end; i < size; ++i) out[used++] = path[i];
  return used;
}

}  // namespace everycrash::point
