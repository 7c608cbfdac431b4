// A run that was started on what a kill had left, as the end of one long trace.
//
// A kill ends processes, not the machine: what they had not synced is still in its memory, and may
// be lost together with what the next run does when the power fails then. So for power losses the
// two runs are one: all that the first did up to the kill, then all that the second did.
#pragma once

#include <cstdint>
#include <filesystem>

#include "harness/base/error.h"
#include "harness/explore/crash_point.h"
#include "harness/trace/trace.h"

namespace everycrash {

struct ContinuedRun {
  Trace trace;
  uint64_t begin;  ///< the first record of the second run
};

/// Writes to FILE, anew, what FIRST did up to the kill at KILLED and then what SECOND did, which
/// began on that very state: inodes and the records that others name are translated. Fails with
/// kHarness where SECOND began on something else, or the file cannot be written.
[[nodiscard]] Result<ContinuedRun> continue_run(const Trace& first, CrashPoint killed,
                                                const Trace& second,
                                                const std::filesystem::path& file);

}  // namespace everycrash
