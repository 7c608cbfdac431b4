// Every call of a recorded run, failing in every plausible way: what `--crash io-error` tries.
//
// Each call fails once with each errno that its manual page allows for such a moment (a full disk,
// a broken one, a signal, no descriptors, no permission), writes are also cut short. Calls that
// fail for good (a broken path, a folder that may not be written) come once for each file and kind
// of call: then every one on that file fails from the first on. So a run of N calls is started at
// most N times for each errno, and once more for each that stays.
//
// A disk that is full stays so: from a write on, whatever the file, each one fails that extends a
// file or fills a hole (ext4 and xfs let the others overwrite what is there); and the same where
// the first of them still finds room for its half. Only writes meet it. Of a run with many writes
// that is tried at some, evenly spread.
//
// Who talks to a process that is not of the run meets connections that are refused or time out,
// sends that fail, and (where what is sent is an HTTP request) an answer that does not come, though
// the request was done: the first receive on its connection after it fails. Which of the receives
// of an answer fails makes no difference that is tried.
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
  /// The whole disk is full from that call on.
  bool fills_disk = false;
};

/// All of them, in the order of the trace. Calls that failed in the recorded run are left out, as
/// are prints and what changes nothing on disk and cannot fail (sync).
[[nodiscard]] std::vector<SweptFault> sweep_of(const Trace& trace);

/// At how many writes of TRACE sweep_of() lets the disk become full, and of how many.
struct FullDisks {
  size_t tried = 0;
  size_t writes = 0;
};
[[nodiscard]] FullDisks count_full_disks(const Trace& trace);

/// How many calls of TRACE the sweep lets fail.
[[nodiscard]] size_t count_swept_calls(const std::vector<SweptFault>& sweep);

}  // namespace everycrash
