#include "harness/inject/faults/text.h"

namespace everycrash::faults {

namespace {

struct Unit {
  const char* name;
  int64_t ms;
};
// "ms" before "m", of which it begins.
constexpr Unit kUnits[] = {
    {"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}};
constexpr uint64_t kLongest = 1'000'000'000;  // of any unit

bool must_be_escaped(char byte) {
  return byte == '%' || byte == ')' || static_cast<unsigned char>(byte) <= ' ' || byte == 0x7f;
}

int hex_value(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  return -1;
}

}  // namespace

bool Word::take(const char* text) {
  const size_t length = strlen(text);
  if (size() < length || memcmp(begin, text, length) != 0) return false;
  begin += length;
  return true;
}

bool Word::take_number(uint64_t& number) {
  if (empty() || *begin < '0' || *begin > '9') return false;
  number = 0;
  while (!empty() && *begin >= '0' && *begin <= '9') {
    if (number > (~uint64_t{0} - 9) / 10) return false;
    number = number * 10 + static_cast<uint64_t>(*begin++ - '0');
  }
  return true;
}

bool Word::take_time(int64_t& time) {
  uint64_t number = 0;
  if (!take_number(number) || number > kLongest) return false;
  for (const Unit& unit : kUnits) {
    if (!take(unit.name)) continue;
    time = static_cast<int64_t>(number) * unit.ms;
    return true;
  }
  return false;
}

Word take_word(Word& line) {
  while (!line.empty() && *line.begin == ' ') ++line.begin;
  const char* begin = line.begin;
  while (!line.empty() && *line.begin != ' ') ++line.begin;
  return {begin, line.begin};
}

bool unescape(Word word, char* to, size_t capacity) {
  size_t size = 0;
  for (const char* at = word.begin; at < word.end; ++at) {
    char byte = *at;
    if (byte == '%') {
      if (word.end - at < 3) return false;
      const int high = hex_value(at[1]);
      const int low = hex_value(at[2]);
      if (high < 0 || low < 0) return false;
      byte = static_cast<char>(high * 16 + low);
      at += 2;
    }
    if (byte == 0 || size + 1 >= capacity) return false;
    to[size++] = byte;
  }
  to[size] = 0;
  return true;
}

void Writer::add(char byte) {
  if (size + 1 < capacity) text[size] = byte;
  ++size;
}

void Writer::add(const char* string) {
  while (*string != 0) add(*string++);
}

void Writer::add_escaped(const char* string) {
  constexpr char kDigits[] = "0123456789abcdef";
  for (; *string != 0; ++string) {
    if (!must_be_escaped(*string)) {
      add(*string);
      continue;
    }
    const auto byte = static_cast<unsigned char>(*string);
    add('%');
    add(kDigits[byte / 16]);
    add(kDigits[byte % 16]);
  }
}

void Writer::add_number(uint64_t number) {
  char digits[20];
  size_t count = 0;
  do digits[count++] = static_cast<char>('0' + number % 10);
  while (number /= 10);
  while (count > 0) add(digits[--count]);
}

void Writer::add_time(int64_t time) {
  const Unit* best = &kUnits[0];
  for (const Unit& unit : kUnits) {
    if (time != 0 && time % unit.ms == 0) best = &unit;
  }
  add_number(static_cast<uint64_t>(time / best->ms));
  add(best->name);
}

size_t Writer::finish() {
  if (size >= capacity) return 0;
  text[size] = 0;
  return size;
}

}  // namespace everycrash::faults
