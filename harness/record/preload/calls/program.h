// Program images: what this process is, and what it becomes by execve.
#pragma once

#include "harness/record/preload/core/call.h"

namespace everycrash::preload {

/// Appends the kProcess record of this image (Session::program). Under the lock.
void record_program(int argument_count, char** arguments);

/// Under the lock, before an execve: names the program if it cannot be recorded. Answers kNotOurs.
long look_at_program(const Call& call);

/// Makes an execve or execveat with an environment that has our variables. Without the lock.
long execute(const Call& call);

}  // namespace everycrash::preload
