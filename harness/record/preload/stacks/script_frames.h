// The lines of a script, in its own language, that made a call: for interpreters whose structures
// we know. The C stack of an interpreter does not tell them apart.
#pragma once

#include <stdint.h>

#include "harness/record/preload/core/text.h"
#include "harness/trace/format.h"

namespace everycrash::preload {

/// Looks whether this image is an interpreter, or has one among its libraries. At start, while no
/// other thread is there.
void find_interpreter();

/// Tells the place where the calling thread stands in a script from all others of this process; 0
/// if it executes none. Under the lock.
uint64_t script_position();

/// What the trace keeps of the place that script_position() has just told: see
/// format::ScriptLanguage. Under the lock, valid until the next call.
struct ScriptFrames {
  format::ScriptLanguage language = format::ScriptLanguage::kNone;
  Text text;
};
ScriptFrames script_frames();

}  // namespace everycrash::preload
