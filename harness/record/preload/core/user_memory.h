// Reading memory that the program named: a bad pointer is the program's EFAULT, not our crash.
#pragma once

#include <stddef.h>

#include "harness/record/preload/core/text.h"

namespace everycrash::preload {

/// Copies SIZE bytes; false if they cannot be read.
bool copy_from_user(void* to, const void* from, size_t size);

/// Copies a string of less than CAPACITY bytes with its NUL. Returns its length, or -1.
long copy_string_from_user(char* to, size_t capacity, const char* from);

}  // namespace everycrash::preload
