// Reading and writing the words of the language of faults, without allocation.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace everycrash::faults {

/// Bytes between two pointers, taken off from the front.
struct Word {
  const char* begin;
  const char* end;

  [[nodiscard]] size_t size() const { return static_cast<size_t>(end - begin); }
  [[nodiscard]] bool empty() const { return begin == end; }
  [[nodiscard]] bool is(const char* text) const {
    return strlen(text) == size() && memcmp(begin, text, size()) == 0;
  }
  /// Takes TEXT off the front; false if it is not there.
  bool take(const char* text);
  /// Takes a decimal number off; false if there is none or it is too large.
  bool take_number(uint64_t& number);
  /// Takes a time off: a number and ms, s, m, h or d. Milliseconds.
  bool take_time(int64_t& time);
};

/// Takes the next word of a line off, which ends at a blank or the end of the line.
Word take_word(Word& line);

/// Copies WORD to TO with its %XX resolved; false if that is not right, or too long.
bool unescape(Word word, char* to, size_t capacity);

/// A text that grows in a buffer; `size` goes on counting when it is full.
struct Writer {
  char* text;
  size_t capacity;
  size_t size = 0;

  void add(char byte);
  void add(const char* string);
  void add_escaped(const char* string);
  void add_number(uint64_t number);
  /// The largest unit that gives a whole number.
  void add_time(int64_t time);
  /// Ends the text: its size, or 0 if it did not fit.
  size_t finish();
};

}  // namespace everycrash::faults
