// Running a recovery for real on a crash state, and recording what it does: the ground on which a
// second crash, while recovery runs, is explored.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "harness/base/error.h"
#include "harness/model/file_system.h"
#include "harness/record/recorder.h"

namespace everycrash {

/// What one recorded recovery was.
struct RecoveryRun {
  std::filesystem::path trace_file;
  ProcessEnd end = TimedOut{};
  std::string unusable;  ///< not empty: why nothing can be said on the ground of this run
  [[nodiscard]] bool succeeded() const {
    const auto* exited = std::get_if<Exited>(&end);
    return unusable.empty() && exited != nullptr && exited->code == 0;
  }
};

/// Makes the state directory hold one crash state after the other, and runs the recovery there, one
/// at a time. For one thread. Traces stay in the folder until they are removed. Tests derive runs
/// from it that start no process.
class RecoveryRuns {
 public:
  virtual ~RecoveryRuns() = default;
  /// OPTIONS say what is run, and where; their trace file is not used. Takes over the state
  /// directory and empties it. FOLDER exists and gets the traces.
  static Result<std::unique_ptr<RecoveryRuns>> create(RecordOptions options,
                                                      std::filesystem::path folder);

  /// Runs the recovery on TREE. The files $EVERYCRASH_STDOUT and $EVERYCRASH_EFFECTS name hold
  /// PRINTED and the effects of EVENTS. Fails if the machine does; that the recovery fails, or does
  /// what cannot be recorded, is a value.
  virtual Result<RecoveryRun> run(const FileSystem& tree, std::string_view printed,
                                  std::string_view events) = 0;

  /// Makes the state directory hold TREE.
  virtual Status restore(const FileSystem& tree) = 0;
};

}  // namespace everycrash
