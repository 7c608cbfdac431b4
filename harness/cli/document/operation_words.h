// How operations are said in the titles of findings.
#pragma once

#include <string>
#include <string_view>

#include "harness/trace/trace.h"

namespace everycrash::cli {

/// The line that RECORD, a print, ended or began: in quotes, a long one cut; "" if it is empty.
[[nodiscard]] std::string quoted_line(const Trace& trace, const Operation& record);

/// "rename(state.json)", "chmod state.json to 0644".
[[nodiscard]] std::string call_of(const Operation& operation);

/// One end of a time: "the rename (a -> b)", "effect charge order-17"; with RECORDS "the rename
/// that records it (a -> b)".
[[nodiscard]] std::string edge_of(const Operation& operation, bool records);

/// PATH, or "the state directory".
[[nodiscard]] std::string shown_path(std::string_view path);

}  // namespace everycrash::cli
