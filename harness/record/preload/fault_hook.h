// What the preload library offers to the library of faults (harness/inject/faults), which is loaded
// only when faults are asked for: the one symbol that is exported.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace everycrash::preload {

/// Two questions, since the second may take locks that other threads hold while they wait to record
/// a call. Both are asked with all signals of the thread blocked (the second: all but SIGSYS), from
/// any thread, and must leave errno alone.
struct FaultHook {
  /// The planned fault for a call of that format::Kind on PATH (SIZE bytes, relative to the state
  /// directory, "" = itself), from 1 up to kFaultPointsMax; 0 = none. Asked under the lock of the
  /// recording: no system call, no allocation, no lock.
  uint32_t (*point_of)(uint16_t kind, const char* path, size_t size);
  /// Whether that fault happens now. Asked without the lock.
  bool (*fires)(uint32_t point);
};
inline constexpr uint32_t kFaultPointsMax = 1024;

}  // namespace everycrash::preload

/// HOOK must live as long as the process; null takes it away. From the next call on it is asked.
extern "C" __attribute__((visibility("default"))) void everycrash_preload_set_fault_hook(
    const everycrash::preload::FaultHook* hook);
