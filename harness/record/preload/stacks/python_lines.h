// From an instruction of a Python code object to its line, by the tables that the versions of
// CPython keep. Pure.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace everycrash::preload {

/// A table of SIZE bytes, of a code object that begins at FIRST_LINE.
struct LineTable {
  const uint8_t* bytes = nullptr;
  size_t size = 0;
  uint32_t first_line = 0;
};

/// Line of the instruction at OFFSET bytes, or 0 if it has none or the table is no such table.
/// 3.11 and later: Objects/locations.md of CPython.
uint32_t line_by_locations(const LineTable& table, uint32_t offset);
/// 3.10: Objects/lnotab_notes.txt, "linetable".
uint32_t line_by_ranges(const LineTable& table, uint32_t offset);
/// Up to 3.9: Objects/lnotab_notes.txt.
uint32_t line_by_steps(const LineTable& table, uint32_t offset);

}  // namespace everycrash::preload
