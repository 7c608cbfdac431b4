// Where the versions of CPython keep what a stack is made of: offsets from their own headers
// (Include/internal/pycore_frame.h, pycore_runtime.h, cpython/code.h, cpython/unicodeobject.h), for
// the usual builds of x86-64. Every use of them is checked against the types of the objects.
#pragma once

#include <stdint.h>

#include "harness/record/preload/stacks/python_lines.h"

namespace everycrash::preload {

struct PythonLayout {
  // _PyRuntimeState: the key under which each thread keeps its PyThreadState.
  uint16_t thread_key;
  // PyThreadState
  uint16_t thread_id;
  uint16_t frame;    ///< the innermost frame, or ...
  bool through_c;    ///< ... the _PyCFrame that
  uint16_t c_frame;  ///< has it here
  // _PyInterpreterFrame, or PyFrameObject up to 3.10
  uint16_t code;
  uint16_t previous;
  uint16_t instruction;
  bool by_index;        ///< instruction is an int, else an address in the code
  uint16_t index_unit;  ///< bytes that it counts
  uint16_t owner;       ///< 0 = there is none
  // PyCodeObject
  uint16_t first_line;
  uint16_t file;
  uint16_t name;
  uint16_t lines;
  uint16_t bytecode;
  // PyASCIIObject, PyCompactUnicodeObject
  uint16_t ascii_text;
  uint16_t other_text;
  uint32_t (*line_of)(const LineTable& table, uint32_t offset);
};

/// Where a frame has this owner it belongs to the interpreter itself (FRAME_OWNED_BY_CSTACK).
inline constexpr uint8_t kOwnedByInterpreter = 3;

/// Layout of Python 3.MINOR, or nullptr if it is not known.
const PythonLayout* python_layout(unsigned minor);

}  // namespace everycrash::preload
