// Every call of a recorded run, failing in every plausible way: what `--crash io-error` tries.
//
// Each call fails once with each errno that its manual page allows for such a moment (a full disk,
// a broken one, a signal, no descriptors, no permission), writes are also cut short. Calls that
// fail for good (a broken path, a folder that may not be written) come once for each file and kind
// of call: then every one on that file fails from the first on. So a run of N calls is started at
// most N times for each errno, and once more for each that stays.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/inject/faults/plan.h"
#include "harness/trace/trace.h"

namespace everycrash {

/// One way in which a call of the recorded run fails.
struct SweptFault {
  uint64_t record = 0;  ///< the call; the first one, where all fail
  faults::Fault fault;
  std::string text;  ///< text_of(fault): what a live run is given, and its name
  [[nodiscard]] bool for_good() const { return fault.last == faults::Fault::kForever; }
};

/// All of them, in the order of the trace. Calls that failed in the recorded run are left out, as
/// are prints and what changes nothing on disk and cannot fail (sync).
[[nodiscard]] std::vector<SweptFault> sweep_of(const Trace& trace);

/// How many calls of TRACE the sweep lets fail.
[[nodiscard]] size_t count_swept_calls(const std::vector<SweptFault>& sweep);

}  // namespace everycrash
