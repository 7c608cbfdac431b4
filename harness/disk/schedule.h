// What a machine does by itself while a program runs: in a replay of some milliseconds nothing of
// it happens, so it is put in on purpose.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/trace/trace.h"

namespace everycrash {

/// One thing that a kernel does in the background.
struct BackgroundEvent {
  enum class What : uint8_t {
    kWriteBack,    ///< the data of one file (sync_file_range)
    kCommit,       ///< a journal commit, as the fsync of another program's file makes it
    kTransaction,  ///< a whole commit without data; where that is no other thing: kCommit
    kEverything,   ///< syncfs
  } what = What::kCommit;
  uint64_t after = 0;  ///< the record behind which it comes
  uint64_t inode = 0;  ///< of kWriteBack
};

/// In the order of `after`; empty = nothing until the end. A value.
struct Schedule {
  std::vector<BackgroundEvent> events;
  /// "nothing", "write-back of a.tmp after #12, commit after #14".
  [[nodiscard]] std::string describe(const Trace& trace) const;
};

/// Up to COUNT schedules for TRACE, the likeliest first: nothing; a commit near the end, the data
/// of one file before it; then one event after each operation; then random ones from SEED. The same
/// arguments give the same schedules.
[[nodiscard]] std::vector<Schedule> schedules_for(const Trace& trace, size_t count, uint64_t seed);

}  // namespace everycrash
