// What the preload library offers to the library of faults (harness/inject/faults), which is loaded
// only when faults are asked for: the one symbol that is exported.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "harness/trace/format.h"

namespace everycrash::preload {

/// A call that is about to be made.
struct FaultQuery {
  /// Kinds of calls that are asked about, but that no trace holds.
  enum : uint16_t { kRead = 200, kReceive = 201 };

  uint16_t kind;     ///< format::Kind, or one of these
  const char* path;  ///< SIZE bytes, relative to the state directory, "" = itself; of a socket: its
                     ///< peer
  size_t size;
  int64_t bytes;            ///< that it moves if nothing happens; 0: it cannot be cut short
  uint64_t connection = 0;  ///< tells the sockets of one peer apart; 0: it is on none
  int64_t overwrites = 0;   ///< of a write: so many of its bytes, the first, need no room on a disk
};

/// What is to become of a call.
struct FaultOrder {
  enum What : uint32_t {
    kNone = 0,
    kFail = 1,        ///< it fails with `error` and does nothing
    kShorten = 2,     ///< it is made for the first `value` bytes
    kLose = 3,        ///< it succeeds without its effect
    kKillBefore = 4,  ///< the run ends here
    kKillAfter = 5,   ///< the run ends once it is done
    kDelay = 6,       ///< it comes `value` milliseconds later
    kSetClock = 7,    ///< from now on the clock of the workload is off by `value` milliseconds
    kHang = 8,        ///< it waits for a silent peer, `value` milliseconds or (0) for ever
  };
  uint32_t what;
  int32_t error;
  int64_t value;
  uint32_t fault;  ///< its number in the plan
};

/// Two questions, since the second may take locks that other threads hold while they wait to record
/// a call. Both are asked with all signals of the thread blocked (the second: all but SIGSYS), from
/// any thread, and must leave errno alone.
struct FaultHook {
  /// Fills in ORDER and returns true if a fault is due for that call, counting it in STATE. Asked
  /// once a call, under the lock of the recording: no system call, no allocation, no lock.
  bool (*plan)(const FaultQuery* query, format::FaultState* state, FaultOrder* order);
  /// Whether the fault with that number happens now. Asked without the lock, and only in threads
  /// that libc has made: in others (Go's) it happens.
  bool (*fires)(uint32_t fault);
};

}  // namespace everycrash::preload

/// HOOK must live as long as the process; null takes it away. From the next call on it is asked.
/// Returns what the processes of the run count together; null if nothing is recorded here.
extern "C" __attribute__((visibility("default"))) everycrash::format::FaultState*
everycrash_preload_set_fault_hook(const everycrash::preload::FaultHook* hook);
