// One run of a trace on a real file system, and every state in which the power can fail during it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/digest.h"
#include "harness/base/error.h"
#include "harness/disk/crash_images.h"
#include "harness/disk/disk.h"
#include "harness/disk/schedule.h"
#include "harness/model/file_system.h"
#include "harness/trace/trace.h"

namespace everycrash {

/// A distinct content of the disk after a power failure.
struct RealState {
  Digest image;               ///< of the disk, against the one before the workload
  std::vector<uint8_t> kept;  ///< see CrashImage
  uint64_t point = 0;         ///< the last record after which the disk can hold this
};

/// The tree that the kernel finds in a state.
struct RealTree {
  std::string mount_error;         ///< why it cannot be mounted, "" if it can
  std::optional<FileSystem> tree;  ///< of the state directory; nothing if it cannot be read
};

/// What of DISK is used between two runs: the states that the last run left. Refers to both; the
/// disk serves one run at a time and is unmounted between calls. One thread.
class CrashRun {
 public:
  /// Replays TRACE on a fresh file system with the events of SCHEDULE. Fails as
  /// Replayer::apply() does.
  static Result<CrashRun> replay(Disk& disk, const Trace& trace, const Schedule& schedule,
                                 const CrashImageOptions& options);

  /// Distinct images, in the order of crash_images(), each for the last point at which it can be.
  [[nodiscard]] const std::vector<RealState>& states() const { return states_; }
  [[nodiscard]] size_t requests() const { return log_.size(); }

  /// Puts a state back and mounts it. Returns "" if it is mounted, and then the caller unmounts the
  /// disk; else why the kernel refuses. Fails with kHarness where the disk itself does not work.
  Result<std::string> mount(const RealState& state);
  /// Puts a state back, mounts it, reads the tree, and unmounts it.
  Result<RealTree> look(const RealState& state);

 private:
  CrashRun(Disk& disk, const Trace& trace) : disk_(disk), trace_(trace) {}
  Status prepare();
  Status run(const Schedule& schedule);
  Status find_states(const CrashImageOptions& options);

  Disk& disk_;
  const Trace& trace_;
  std::vector<DiskRequest> log_;
  struct Returned {
    uint64_t record, position;
  };
  std::vector<Returned> returned_;  // how long the log was when each operation had returned
  std::vector<RealState> states_;
};

/// Which of COUNT states are looked at where at most MOST may be: all, or a choice that SEED makes.
[[nodiscard]] std::vector<size_t> chosen_states(size_t count, size_t most, uint64_t seed);

}  // namespace everycrash
