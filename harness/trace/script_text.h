// The frames of a script as a record holds them (format::ScriptLanguage).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "harness/trace/format.h"

namespace everycrash {

struct Operation;

using format::ScriptLanguage;

/// One line of a script that was being executed. Texts point into the trace.
struct ScriptFrame {
  uint32_t line = 0;          ///< 0 = unknown
  std::string_view function;  ///< as the language says it: "Store.save", "<module>"; "" = unknown
  std::string_view file;      ///< as the interpreter names it; may be relative, or "<string>"
};

/// What is wrong with RECORD, a kStack or a kStart, or nullptr.
[[nodiscard]] const char* problem_of_script(const Operation& record);

/// The frames of RECORD, a kStack or a kStart without a problem, innermost first.
[[nodiscard]] std::vector<ScriptFrame> script_frames_of(const Operation& record);

/// The next of texts that each have a NUL behind them, taken off the front of TEXT.
std::string_view take_text(std::string_view& text);

/// "python", "shell", or "" for none.
[[nodiscard]] const char* name_of(ScriptLanguage language);

}  // namespace everycrash
