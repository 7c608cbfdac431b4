// Where campaigns run the workload for real: the seam at which tests put runs that start no
// process.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "harness/base/error.h"
#include "harness/inject/faulted_runs.h"
#include "harness/inject/recovery_runs.h"

namespace everycrash {

/// Makes the places of such runs. A value.
struct RunMakers {
  /// As RecoveryRuns::create().
  std::function<Result<std::unique_ptr<RecoveryRuns>>(RecordOptions options,
                                                      std::filesystem::path folder)>
      recoveries = RecoveryRuns::create;
  /// As FaultedRuns::create().
  std::function<Result<std::unique_ptr<FaultedRuns>>(
      RecordOptions options, const std::filesystem::path& folder, const FileSystem& start,
      EffectRules effects, std::function<void(const SinkMemory&)> remind)>
      faulted = FaultedRuns::create;
};

/// Those that run programs.
[[nodiscard]] inline const RunMakers& real_runs() {
  static const RunMakers kReal;
  return kReal;
}

}  // namespace everycrash
