// The few kinds of Python objects that a stack is made of.
#pragma once

#include "harness/record/preload/core/text.h"
#include "harness/record/preload/stacks/live_memory.h"
#include "harness/record/preload/stacks/python_layout.h"

namespace everycrash::preload {

/// One interpreter: its layout, and the addresses of its type objects.
struct Python {
  const PythonLayout* layout = nullptr;
  uint64_t code_type = 0;     ///< PyCode_Type
  uint64_t unicode_type = 0;  ///< PyUnicode_Type
};

/// What a code object says of itself.
struct PythonCode {
  uint64_t file = 0;   ///< address of a str
  uint64_t name = 0;   ///< address of a str
  uint64_t lines = 0;  ///< address of a bytes
  uint32_t first_line = 0;
};

/// Reads the code object at ADDRESS; false if there is none.
bool read_python_code(ReadMemory read, const Python& python, uint64_t address, PythonCode& code);

/// The characters of a str, as they lie in memory, or the first of them.
struct PythonText {
  static constexpr size_t kBytesMax = 1024;
  uint64_t length = 0;     ///< characters, of the whole str
  unsigned char_size = 1;  ///< bytes
  size_t count = 0;        ///< characters that are here
  alignas(4) unsigned char bytes[kBytesMax];
};

/// Reads the str at ADDRESS; false if there is none.
bool read_python_text(ReadMemory read, const Python& python, uint64_t address, PythonText& text);

/// A number that two str of one process share only if they say the same: the hash that Python has
/// taken of it, or one of ours. 0 if there is none.
uint64_t identity_of_python_text(ReadMemory read, const Python& python, uint64_t address);

/// Writes TEXT as UTF-8 to TO and returns the size, at most CAPACITY. What stands for an
/// undecodable byte of a file name (surrogateescape) becomes that byte again.
size_t to_utf8(const PythonText& text, char* to, size_t capacity);

/// The same for the bytes object at ADDRESS, of which the beginning is taken.
uint64_t identity_of_python_bytes(ReadMemory read, uint64_t address);

/// Reads the bytes object at ADDRESS: its size into SIZE, and as much of it into TO as CAPACITY
/// allows. False if there is none.
bool read_python_bytes(ReadMemory read, uint64_t address, void* to, size_t capacity,
                       uint64_t& size);

}  // namespace everycrash::preload
