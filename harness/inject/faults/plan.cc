#include "harness/inject/faults/plan.h"

#include <string.h>

namespace everycrash::faults {

namespace {

constexpr char kPrefix[] = "everycrash/";
constexpr char kControl[] = "control";

struct PointName {
  Point point;
  const char* name;
};
constexpr PointName kPoints[] = {{Point::kSyncLost, "everycrash/sync/lost"}};

/// Bytes between two pointers.
struct Word {
  const char* begin;
  const char* end;

  [[nodiscard]] size_t size() const { return static_cast<size_t>(end - begin); }
  [[nodiscard]] bool is(const char* text) const {
    return strlen(text) == size() && memcmp(begin, text, size()) == 0;
  }
};

bool copy(const char* from, char* to, size_t capacity) {
  const size_t size = strlen(from);
  if (size >= capacity) return false;
  memcpy(to, from, size + 1);
  return true;
}

bool must_be_escaped(char byte) {
  return byte == '%' || static_cast<unsigned char>(byte) <= ' ' || byte == 0x7f;
}

int hex_value(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  return -1;
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

/// Takes the next word of a line off; empty at its end.
Word take_word(Word& line) {
  while (line.begin < line.end && *line.begin == ' ') ++line.begin;
  const char* begin = line.begin;
  while (line.begin < line.end && *line.begin != ' ') ++line.begin;
  return {begin, line.begin};
}

/// The one value that the rest of LINE must be: KEY=VALUE.
bool take_only_value(Word& line, const char* key, char* value, size_t capacity) {
  const Word word = take_word(line);
  const size_t size = strlen(key);
  if (word.size() <= size || memcmp(word.begin, key, size) != 0 || word.begin[size] != '=') {
    return false;
  }
  return unescape({word.begin + size + 1, word.end}, value, capacity) &&
         take_word(line).size() == 0;
}

const char* parse_line(Word line, Plan& plan) {
  const Word name = take_word(line);
  if (name.size() == 0) return nullptr;
  if (name.is(kControl)) {
    return take_only_value(line, "fifo", plan.fifo, sizeof plan.fifo) ? nullptr
                                                                      : "control needs fifo=PREFIX";
  }
  for (const PointName& known : kPoints) {
    if (!name.is(known.name + strlen(kPrefix))) continue;
    if (plan.count == Plan::kFaultsMax) return "too many faults";
    Fault& fault = plan.faults[plan.count++];
    fault.point = known.point;
    return take_only_value(line, "path", fault.path, sizeof fault.path) ? nullptr
                                                                        : "a fault needs path=GLOB";
  }
  return "unknown fault";
}

/// A text that grows in a buffer; `size` goes on counting when it is full.
struct Writer {
  char* text;
  size_t capacity;
  size_t size = 0;

  void add(char byte) {
    if (size + 1 < capacity) text[size] = byte;
    ++size;
  }
  void add(const char* string) {
    while (*string != 0) add(*string++);
  }
  void add_value(const char* value) {
    constexpr char kDigits[] = "0123456789abcdef";
    for (; *value != 0; ++value) {
      if (!must_be_escaped(*value)) {
        add(*value);
        continue;
      }
      const auto byte = static_cast<unsigned char>(*value);
      add('%');
      add(kDigits[byte / 16]);
      add(kDigits[byte % 16]);
    }
    add('\n');
  }
};

}  // namespace

const char* name_of(Point point) {
  for (const PointName& known : kPoints) {
    if (known.point == point) return known.name;
  }
  return nullptr;
}

Point point_of(const Plan& plan, format::Kind kind, const char* path, size_t size) {
  using format::Kind;
  if (kind < Kind::kFileSync || kind > Kind::kMapSync) return Point::kNone;
  const bool everything = kind == Kind::kSyncAll || kind == Kind::kSyncFileSystem;
  for (size_t i = 0; i < plan.count; ++i) {
    const Fault& fault = plan.faults[i];
    if (everything ? strcmp(fault.path, "*") == 0 : matches_glob(fault.path, path, size)) {
      return fault.point;
    }
  }
  return Point::kNone;
}

bool add_fault(Plan& plan, Point point, const char* path) {
  if (plan.count == Plan::kFaultsMax) return false;
  Fault& fault = plan.faults[plan.count];
  if (!copy(path, fault.path, sizeof fault.path)) return false;
  fault.point = point;
  ++plan.count;
  return true;
}

bool set_fifo(Plan& plan, const char* prefix) {
  return copy(prefix, plan.fifo, sizeof plan.fifo);
}

const char* parse_plan(const char* text, Plan& plan) {
  while (*text != 0) {
    const char* end = strchr(text, '\n');
    if (end == nullptr) end = text + strlen(text);
    if (const char* wrong = parse_line({text, end}, plan); wrong != nullptr) return wrong;
    text = *end == 0 ? end : end + 1;
  }
  return nullptr;
}

size_t write_plan(const Plan& plan, char* text, size_t size) {
  Writer writer{text, size};
  if (plan.fifo[0] != 0) {
    writer.add("control fifo=");
    writer.add_value(plan.fifo);
  }
  for (size_t i = 0; i < plan.count; ++i) {
    writer.add(name_of(plan.faults[i].point) + strlen(kPrefix));
    writer.add(" path=");
    writer.add_value(plan.faults[i].path);
  }
  if (writer.size >= size) return 0;
  text[writer.size] = 0;
  return writer.size;
}

}  // namespace everycrash::faults
