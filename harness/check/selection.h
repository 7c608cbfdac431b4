// Which oracles apply to a workload: those that were asked for, or with neither a checker nor a
// wish all that can be judged.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "harness/base/error.h"
#include "harness/check/failed_command.h"
#include "harness/check/grounds.h"
#include "harness/check/oracles/oracle.h"

namespace everycrash {

/// What an undisturbed run more has shown.
struct UndisturbedRun {
  std::optional<FailedCommand> recovery_failed;  ///< why it was not even made
  std::optional<FailedCommand> failed;
  NextRun left;  ///< against the recorded run, unless it failed
};

/// Makes undisturbed runs; a seam, so that choosing needs no process.
class UndisturbedRuns {
 public:
  virtual ~UndisturbedRuns() = default;
  /// On what the recorded run left.
  virtual Result<UndisturbedRun> run_again() = 0;
  /// From what the recorded run began with.
  virtual Result<UndisturbedRun> run_from_start() = 0;
};

/// Chooses by what GROUNDS say and, where that matters, by what one or two more RUNS show. Fails as
/// they do, or with kHarness where the workload is to be resumed and cannot even be run again.
[[nodiscard]] Result<Selection> select_oracles(const Grounds& grounds, UndisturbedRuns& runs);

}  // namespace everycrash
