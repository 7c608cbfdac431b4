// What a run is to be recorded with, and how it ended.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/child_process.h"

namespace everycrash {

/// Where to stop and kill the workload (`everycrash inject`), see format::StopPlan.
struct StopPoint {
  std::string point;        ///< "rename(state.json)", "step mark_done": harness/trace/point_name.h
  uint64_t occurrence = 1;  ///< among the matching operations that succeed
  std::optional<uint64_t> cut;  ///< for a write: after that many of its bytes
  bool before = false;
  /// Only prints, events and sends come into the trace, and what leads to the point. The run is
  /// then hardly slower than the program alone.
  bool alone = false;
};

struct RecordOptions {
  std::vector<std::string> command;
  std::filesystem::path state_directory;  ///< exists; becomes the working directory
  std::filesystem::path trace_file;       ///< outside the state directory; made anew
  std::filesystem::path work_directory;   ///< outside it too: gets "stdout", "stderr", "events"
  std::chrono::milliseconds timeout{60'000};
  /// What the workload started may outlive it by this much before it is killed.
  std::chrono::milliseconds grace{2'000};
  uint64_t trace_capacity = uint64_t{16} << 30;  ///< bytes of address space, not of disk
  std::map<std::string, std::string> environment;
  std::optional<StopPoint> stop;
  /// Faults that the run is to meet, as harness/inject/faults/plan.h writes them; "" = none, and
  /// then nothing of the machinery for faults is loaded.
  std::string faults;
  /// Where the workload finds the state directory instead of at its own path, in a mount namespace
  /// of its own; "" = at its own path. Runs side by side then see the same paths.
  std::filesystem::path place;
  /// With `place`: what the workload writes to /tmp and /var/tmp is gone with it, where this kernel
  /// allows it; what is there it sees.
  bool own_temporary = false;
  bool own_network = false;  ///< a network namespace with a loopback device and nothing else
  uint64_t records_max = 0;  ///< the run is killed once its trace has more records; 0 = no limit
  std::function<void()> before_start;  ///< called right before the workload starts; may be empty
  const std::atomic<bool>* interrupted = nullptr;  ///< set from a signal handler; may be null
};

struct RecordOutcome {
  ProcessEnd end = TimedOut{};  ///< of the command itself
  bool reached_point = false;   ///< it was killed at `stop`, or by a fault that kills
  bool overran = false;         ///< it made more than `records_max` records
  int leftover_processes = 0;   ///< killed after the grace
  std::filesystem::path stdout_file;
  std::filesystem::path stderr_file;
  std::string stderr_tail;  ///< the last 4 KiB of it
};

}  // namespace everycrash
