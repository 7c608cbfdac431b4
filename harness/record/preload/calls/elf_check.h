// Whether a program file can be recorded once it runs.
#pragma once

#include "harness/record/preload/core/object.h"

namespace everycrash::preload {

/// Looks at the file that FILE is open on; follows "#!" lines to the interpreter. True if the
/// program will load this library; else REASON says why not.
bool can_be_recorded(int file, format::Unsupported& reason);

}  // namespace everycrash::preload
