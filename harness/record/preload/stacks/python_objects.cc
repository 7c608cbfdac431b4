#include "harness/record/preload/stacks/python_objects.h"

#include "harness/trace/checksum.h"

namespace everycrash::preload {

namespace {

constexpr uint64_t kTypeOffset = 8;  // PyObject: reference count, type
constexpr uint64_t kSizeOffset = 16;
constexpr uint64_t kStateOffset = 32;  // PyASCIIObject
constexpr uint64_t kBytesOffset = 32;  // PyBytesObject: behind size and hash
constexpr uint64_t kHashOffset = 24;
constexpr int64_t kNoHash = -1;
constexpr size_t kCodeSize = 144;  // of a code object, up to all that is read of it
constexpr size_t kBytesHashed = 64;
constexpr uint64_t kSizeMax = uint64_t{1} << 40;

bool has_type(ReadMemory read, uint64_t address, uint64_t type) {
  uint64_t found = 0;
  return address != 0 && read_object(read, address + kTypeOffset, found) && found == type;
}

uint32_t character(const PythonText& text, size_t index) {
  switch (text.char_size) {
    case 1:
      return text.bytes[index];
    case 2: {
      uint16_t value = 0;
      memcpy(&value, text.bytes + index * sizeof value, sizeof value);
      return value;
    }
    default: {
      uint32_t value = 0;
      memcpy(&value, text.bytes + index * sizeof value, sizeof value);
      return value;
    }
  }
}

// Returns how many bytes VALUE takes.
size_t encode(uint32_t value, unsigned char* to) {
  constexpr uint32_t kEscapeFirst = 0xdc80;
  constexpr uint32_t kEscapeLast = 0xdcff;
  const auto tail = [&](unsigned shift) {
    return static_cast<unsigned char>(0x80 | (value >> shift & 0x3f));
  };
  if (value == 0) value = '?';  // ends a text in the trace
  if (value < 0x80) {
    to[0] = static_cast<unsigned char>(value);
    return 1;
  }
  if (value >= kEscapeFirst && value <= kEscapeLast) {
    to[0] = static_cast<unsigned char>(value & 0xff);
    return 1;
  }
  if (value < 0x800) {
    to[0] = static_cast<unsigned char>(0xc0 | value >> 6);
    to[1] = tail(0);
    return 2;
  }
  if (value < 0x10000) {
    to[0] = static_cast<unsigned char>(0xe0 | value >> 12);
    to[1] = tail(6);
    to[2] = tail(0);
    return 3;
  }
  to[0] = static_cast<unsigned char>(0xf0 | (value >> 18 & 7));
  to[1] = tail(12);
  to[2] = tail(6);
  to[3] = tail(0);
  return 4;
}

}  // namespace

bool read_python_code(ReadMemory read, const Python& python, uint64_t address, PythonCode& code) {
  const PythonLayout& layout = *python.layout;
  unsigned char bytes[kCodeSize];
  uint64_t type = 0;
  if (address == 0 || !read(bytes, address, sizeof bytes)) return false;
  memcpy(&type, bytes + kTypeOffset, sizeof type);
  if (type != python.code_type) return false;
  memcpy(&code.file, bytes + layout.file, sizeof code.file);
  memcpy(&code.name, bytes + layout.name, sizeof code.name);
  memcpy(&code.lines, bytes + layout.lines, sizeof code.lines);
  memcpy(&code.first_line, bytes + layout.first_line, sizeof code.first_line);
  return true;
}

bool read_python_text(ReadMemory read, const Python& python, uint64_t address, PythonText& text) {
  uint32_t state = 0;
  if (!has_type(read, address, python.unicode_type) ||
      !read_object(read, address + kSizeOffset, text.length) ||
      !read_object(read, address + kStateOffset, state)) {
    return false;
  }
  // Bits: 2 interned, 3 bytes of a character, 1 compact, 1 ASCII.
  text.char_size = state >> 2 & 7;
  const bool compact = (state >> 5 & 1) != 0;
  const bool ascii = (state >> 6 & 1) != 0;
  const bool known = text.char_size == 1 || text.char_size == 2 || text.char_size == 4;
  if (!compact || !known || text.length > kSizeMax) return false;
  const size_t most = PythonText::kBytesMax / text.char_size;
  text.count = text.length < most ? text.length : most;
  const uint64_t place = ascii ? python.layout->ascii_text : python.layout->other_text;
  return read(text.bytes, address + place, text.count * text.char_size);
}

uint64_t identity_of_python_text(ReadMemory read, const Python& python, uint64_t address) {
  unsigned char head[kStateOffset];
  uint64_t type = 0;
  int64_t hash = kNoHash;
  if (address == 0 || !read(head, address, sizeof head)) return 0;
  memcpy(&type, head + kTypeOffset, sizeof type);
  memcpy(&hash, head + kHashOffset, sizeof hash);
  if (type != python.unicode_type) return 0;
  if (hash != kNoHash) return static_cast<uint64_t>(hash);
  PythonText text;
  if (!read_python_text(read, python, address, text)) return 0;
  return XXH3_64bits(text.bytes, text.count * text.char_size) + text.length;
}

size_t to_utf8(const PythonText& text, char* to, size_t capacity) {
  size_t size = 0;
  for (size_t i = 0; i < text.count; ++i) {
    unsigned char bytes[4];
    const size_t count = encode(character(text, i), bytes);
    if (count > capacity - size) break;
    memcpy(to + size, bytes, count);
    size += count;
  }
  return size;
}

uint64_t identity_of_python_bytes(ReadMemory read, uint64_t address) {
  unsigned char bytes[kBytesHashed];
  uint64_t size = 0;
  if (!read_python_bytes(read, address, bytes, sizeof bytes, size)) return 0;
  return XXH3_64bits(bytes, size < sizeof bytes ? size : sizeof bytes) + size;
}

bool read_python_bytes(ReadMemory read, uint64_t address, void* to, size_t capacity,
                       uint64_t& size) {
  if (address == 0 || !read_object(read, address + kSizeOffset, size) || size > kSizeMax) {
    return false;
  }
  return read(to, address + kBytesOffset, size < capacity ? size : capacity);
}

}  // namespace everycrash::preload
