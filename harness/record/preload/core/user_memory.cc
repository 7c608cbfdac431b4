#include "harness/record/preload/core/user_memory.h"

#include <errno.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "harness/record/preload/core/raw_call.h"

namespace everycrash::preload {

namespace {

constexpr size_t kPage = 4096;

// Bytes read, or -errno.
long read_own_memory(void* to, const void* from, size_t size) {
  iovec local = {to, size};
  iovec remote = {const_cast<void*>(from), size};
  long self = raw_call(SYS_getpid);
  long got = raw_call(SYS_process_vm_readv, self, to_long(&local), 1, to_long(&remote), 1, 0);
  if (got == -ENOSYS || got == -EPERM) {
    // Some containers forbid the call even on oneself; a bad pointer is rare enough to trust it.
    memcpy(to, from, size);
    return static_cast<long>(size);
  }
  return got;
}

}  // namespace

bool copy_from_user(void* to, const void* from, size_t size) {
  return read_own_memory(to, from, size) == static_cast<long>(size);
}

long copy_string_from_user(char* to, size_t capacity, const char* from) {
  size_t size = 0;
  while (size < capacity) {
    // Never across a page border: the next page may not be there, and the string may end before.
    size_t room = kPage - (reinterpret_cast<uintptr_t>(from + size) & (kPage - 1));
    if (room > 256) room = 256 - (reinterpret_cast<uintptr_t>(from + size) & 255);
    if (room > capacity - size) room = capacity - size;
    long got = read_own_memory(to + size, from + size, room);
    if (got <= 0) return -1;
    for (long i = 0; i < got; ++i, ++size) {
      if (to[size] == 0) return static_cast<long>(size);
    }
  }
  return -1;
}

}  // namespace everycrash::preload
