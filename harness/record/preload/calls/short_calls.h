// A short way for the commonest calls.
#pragma once

#include <stdint.h>

namespace everycrash::preload {

/// Makes libc's write(), in this image and on its path for processes with one thread, come to us by
/// a jump instead of by SIGSYS, which costs four times as much. Changes nothing if libc, which lies
/// between BEGIN and END, looks different from what is expected. Called while there is one thread.
void shorten_write(uintptr_t begin, uintptr_t end);

/// The same of fsync() and fdatasync().
void shorten_syncs(uintptr_t begin, uintptr_t end);

}  // namespace everycrash::preload
