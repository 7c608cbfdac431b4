// More undisturbed runs of the workload: what they leave as the recorded run did is meant, all else
// is chance. A guess about a workload is better asked here than read from a name.
#pragma once

#include <functional>
#include <optional>

#include "harness/base/error.h"
#include "harness/check/failed_command.h"
#include "harness/check/grounds.h"
#include "harness/check/oracles/oracle.h"
#include "harness/check/state_runner.h"

namespace everycrash {

/// What such a run has shown.
struct UndisturbedRun {
  std::optional<FailedCommand> recovery_failed;  ///< why it was not even made
  std::optional<FailedCommand> failed;
  NextRun left;  ///< against the recorded run, unless it failed
};

/// Makes undisturbed runs; a seam, so that choosing oracles needs no process.
class UndisturbedRuns {
 public:
  virtual ~UndisturbedRuns() = default;
  /// On what the recorded run left.
  virtual Result<UndisturbedRun> run_again() = 0;
  /// From what the recorded run began with.
  virtual Result<UndisturbedRun> run_from_start() = 0;
};

/// The state that the recorded run left.
[[nodiscard]] StateView final_state(const History& history);

/// What running it AGAIN on STATE has left.
[[nodiscard]] NextRun next_run_of(const Grounds& grounds, const StateView& state,
                                  const RunAgain& again);

/// Makes them in the sandbox of RUNNER, which must outlive it, as all else that is given. Where
/// SET_CLOCK is not empty it is called with true before a run from the start, and with false after
/// it.
class RunsInSandbox : public UndisturbedRuns {
 public:
  RunsInSandbox(StateRunner& runner, const Grounds& grounds,
                const std::function<Status(bool other)>& set_clock)
      : runner_(runner), grounds_(grounds), set_clock_(set_clock) {}

  Result<UndisturbedRun> run_again() override;
  Result<UndisturbedRun> run_from_start() override;

 private:
  Result<UndisturbedRun> run(const StateView& state);

  StateRunner& runner_;
  const Grounds& grounds_;
  const std::function<Status(bool other)>& set_clock_;
};

}  // namespace everycrash
