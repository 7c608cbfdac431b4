// Reading the structures of an interpreter while it stands in a system call.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace everycrash::preload {

/// How the readers of interpreters' structures get at memory: copies SIZE bytes from the address
/// FROM; false if they cannot be read.
using ReadMemory = bool (*)(void* to, uint64_t from, size_t size);

/// A ReadMemory of this process that seldom needs a system call: what lies in a page that could be
/// read before is copied at once. Only for what the calling thread keeps alive, which its own call
/// cannot unmap; an address that is none is still found out unless such a page is meant by chance.
/// Under the lock.
bool read_live_memory(void* to, uint64_t from, size_t size);

/// Reads one object.
template <typename T>
bool read_object(ReadMemory read, uint64_t from, T& to) {
  return read(&to, from, sizeof to);
}

}  // namespace everycrash::preload
