// Workloads as text, for validation and tests of persistence models: operations that need no
// program to make them.
//
// One operation a line; paths without spaces; TEXT is pieces joined by '+', each "quoted" or c*N
// (the character c, N times; 0*N are zero bytes). `initial` and `initial-dir` come first.
//
//   initial PATH TEXT | initial-dir PATH
//   create F | tmpfile F | empty F (O_TRUNC) | close F | mkdir D | rmdir D | unlink F
//   write F OFFSET TEXT | append F TEXT | truncate F SIZE | symlink NAME TARGET
//   osync-write, dsync-write, map-write F OFFSET TEXT | copy (copy_file_range) F OFFSET TEXT
//   fallocate F grow|keep|punch|zero|collapse|insert OFFSET LENGTH
//   rename A B | exchange A B | link F NAME
//   fsync F | fdatasync F | msync F | sync | syncfs | sync_file_range F | failed-fsync F
//   lost-fsync F | lost-sync
//   chmod F OCTAL | setxattr F NAME VALUE | removexattr F NAME
//   print TEXT | effect KEY
//
// A file keeps the name that the text knows it by after it is unlinked or renamed over, until
// another file gets that name. "." is the state directory.
#pragma once

#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/trace/trace.h"

namespace everycrash {

/// The trace that a recorder would make of a workload which does what LINES say. It passes through
/// a temporary file. Fails with kUsage and the line for a line that is not understood.
[[nodiscard]] Result<Trace> record_text(const std::vector<std::string>& lines);

}  // namespace everycrash
