// Rebuilding the state directory as it was at a crash point of the recorded run.
#pragma once

#include <string>

#include "harness/base/error.h"
#include "harness/explore/crash_point.h"
#include "harness/model/file_system.h"

namespace everycrash {

/// Follows a trace through time. Going forward costs what the operations in between cost; going
/// back starts anew. Owns its FileSystem; one thread. The trace must outlive it.
class StateBuilder {
 public:
  static Result<StateBuilder> create(const Trace& trace);
  /// The same, moved to the end of the run.
  static Result<StateBuilder> at_end(const Trace& trace);

  /// Moves to POINT, as a process killed there leaves it. Fails with kHarness where the trace
  /// contradicts itself.
  Status move_to(CrashPoint point);

  [[nodiscard]] const FileSystem& tree() const { return tree_; }
  /// All that had been printed by then, and all event lines that had been written.
  [[nodiscard]] const std::string& printed() const { return printed_; }
  [[nodiscard]] const std::string& events() const { return events_; }

 private:
  StateBuilder(const Trace& trace, FileSystem tree);

  const Trace* trace_;
  FileSystem start_;
  FileSystem tree_;
  uint64_t done_ = 0;  // records applied whole
  bool cut_applied_ = false;
  FileSystem::Mark before_cut_{};
  std::string printed_;
  std::string events_;
};

}  // namespace everycrash
