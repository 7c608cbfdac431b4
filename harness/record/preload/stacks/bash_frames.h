// Which line of a script bash is executing, read from the variables that it exports and, for the
// functions and files that called each other, from FUNCNAME, BASH_SOURCE and BASH_LINENO. bash has
// one thread, so nothing of it changes meanwhile; what does not look as it should ends the reading.
#pragma once

#include "harness/record/preload/stacks/frame_text.h"
#include "harness/record/preload/stacks/image_symbols.h"
#include "harness/record/preload/stacks/live_memory.h"

namespace everycrash::preload {

/// Addresses of variables of one bash.
struct Bash {
  uint64_t line_number = 0;       ///< int
  uint64_t dollar_vars = 0;       ///< char*[10]
  uint64_t command_string = 0;    ///< char*, what -c was given; null without
  uint64_t global_variables = 0;  ///< VAR_CONTEXT*
};

/// True if IMAGE is a bash.
bool find_bash(const Image& image, Bash& bash);

/// Adds the line that is being executed, with the function and file that it is in, then the calls
/// that led there. Adds nothing before the first command.
void describe_bash(ReadMemory read, const Bash& bash, FrameText& text);

}  // namespace everycrash::preload
