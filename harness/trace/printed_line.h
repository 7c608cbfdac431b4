// The lines that a workload printed, however many calls it took for one.
#pragma once

#include <string>

#include "harness/trace/trace.h"

namespace everycrash {

/// The last line that RECORD, a print, ended or began, without its newline; "" if it is empty. A
/// line can be printed in pieces (Python, unbuffered, prints its end on its own). Of a very long
/// one the beginning can be missing.
[[nodiscard]] std::string printed_line(const Trace& trace, const Operation& record);

}  // namespace everycrash
