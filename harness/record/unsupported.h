// What the recording had to leave out, as a person is told.
#pragma once

#include <string>

#include "harness/trace/operation.h"

namespace everycrash {

/// Name of a system call number on this machine ("pwrite64"), or "call 999".
[[nodiscard]] std::string call_name(int call);

/// What is wrong and what to do about it, for a kUnsupported record.
[[nodiscard]] std::string explain_unsupported(const Operation& operation);

}  // namespace everycrash
