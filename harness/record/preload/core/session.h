// The trace as this process sees it: the shared mapping, its lock, and appending records.
//
// The lock orders all recorded calls of all processes. Whoever holds it has all signals blocked, so
// nothing but SIGKILL or a crash of this library can leave it held; the next one then takes it over
// and says so in the trace. It also guards every static of this library ("under the lock").
#pragma once

#include <signal.h>
#include <stdint.h>
#include <sys/uio.h>

#include "harness/record/preload/core/text.h"
#include "harness/trace/format.h"

namespace everycrash::preload {

/// Bytes to be recorded: COUNT pieces, of which the first SIZE bytes count.
struct Payload {
  const iovec* pieces = nullptr;
  size_t count = 0;
  size_t size = 0;
};

struct Session {
  format::FileHeader* header = nullptr;  ///< null: nothing is recorded in this process
  char* base = nullptr;
  int32_t process = 0;  ///< of the caller; valid under the lock
  int32_t thread = 0;
  uint64_t program = 0;  ///< its kProcess record; a forked child goes on as the same program
};
extern Session session;

/// Maps the trace file. Returns 0 or an errno.
int open_session(const char* trace_path);

/// True if a new image of this process could open the trace: it may have given up the rights to.
bool trace_is_writable();

void lock_session();
void unlock_session();

/// Appends RECORD: size, checksum, sequence, time, process and thread are filled in. Returns its
/// sequence number, or 0 if the trace is full (header->full says why). Under the lock.
uint64_t append(format::RecordHeader& record, Text path, Text other_path, const Payload& payload);

/// Appends a kUnsupported record. Under the lock.
void append_unsupported(format::Unsupported reason, Text about, int call);

/// Tells the caches that a name changed: what /proc says of an open file may be another path now.
inline void names_changed() {
  __atomic_add_fetch(&session.header->generation, 1, __ATOMIC_RELEASE);
}

}  // namespace everycrash::preload
