// Running the user's commands on crash states, in one sandbox: recovery, the checker, the workload
// again. It tells what happened; what that means is the judges' affair.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.h"
#include "harness/check/examination.h"
#include "harness/check/failed_command.h"
#include "harness/check/grounds.h"
#include "harness/check/run/given_state.h"
#include "harness/check/run/run_watch.h"
#include "harness/check/run/sandbox.h"
#include "harness/effects/sink.h"
#include "harness/model/file_system.h"

namespace everycrash {

/// Running the workload again on a state.
struct RunAgain {
  std::optional<FailedCommand> recovery_failed;  ///< why it was not even run
  std::optional<FailedCommand> failed;
  std::optional<FileSystem> tree;  ///< that it left, unless it failed
  std::string events;
  std::string unseen;  ///< why its effects are not known, "" if they are

  [[nodiscard]] bool timed_out() const;
};

/// A state directory after something ran on a crash state.
struct Aftermath {
  std::string what;                ///< "recovery", "running it again", "the checker"; "" = nothing
  std::optional<FileSystem> tree;  ///< absent if nothing ran, or it did not end
};

/// Owns its sandbox; GROUNDS must outlive it. Use by one thread at a time; sandbox().cancel() from
/// any. An error means that the machine failed, or kInterrupted.
class StateRunner {
 public:
  StateRunner(std::unique_ptr<Sandbox> sandbox, const Grounds& grounds);
  StateRunner(const StateRunner&) = delete;
  StateRunner& operator=(const StateRunner&) = delete;

  /// See StateJudge::use_sink().
  void use_sink(Sink* sink) { sink_ = sink; }
  /// Sets NAME to VALUE in the environment of all commands, from now on.
  void set_for_commands(std::string_view name, std::string_view value);

  /// Brings STATE, and what the receiver had done by then, to where commands find them.
  Status put(const StateView& state);
  /// Run on what is there; nothing = it did what it should.
  Result<std::optional<FailedCommand>> recover(int limit_ms);
  Result<std::optional<FailedCommand>> check(int limit_ms);
  [[nodiscard]] Result<FileSystem> tree() const { return read_tree(sandbox_->tree()); }
  /// To be called after the last command on a state.
  Status leave();

  /// All of that for the workload: puts STATE, recovers where that is asked for, and runs it again.
  Result<RunAgain> run_again(const StateView& state, int limit_ms);
  /// Runs what RUNS says (kRecovery, kResume, kChecker) on STATE, and reads what it leaves.
  Result<Aftermath> aftermath(const StateView& state, Judge runs);

  /// What the receiver had done when the crash came.
  [[nodiscard]] SinkMemory sink_memory(const StateView& state) const;
  [[nodiscard]] Sandbox& sandbox() { return *sandbox_; }
  [[nodiscard]] const std::vector<std::string>& notes() const { return states_.notes(); }

 private:
  [[nodiscard]] Command prepared(const Command& given) const;
  [[nodiscard]] std::optional<FailedCommand> outcome(Judge judge, const Command& command,
                                                     const CommandRun& run) const;
  Status run_workload(const StateView& state, int limit_ms, RunAgain& again);
  Status see_effects(const StateView& state, RunAgain& again);
  [[nodiscard]] std::string tidy(const std::string& output) const;
  [[nodiscard]] std::filesystem::path events_file() const { return sandbox_->files() / "events"; }

  std::unique_ptr<Sandbox> sandbox_;
  const Grounds& grounds_;
  GivenStates states_;
  Command check_, recover_, resume_;  // with the environment that they get here
  Sink* sink_ = nullptr;
  std::optional<RunWatch> watch_;
};

}  // namespace everycrash
