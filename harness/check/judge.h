// From a crash state to its complaints: run recovery, checker or the workload again on it, and ask
// the oracles that apply.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/error.h"
#include "harness/check/command_judge.h"
#include "harness/check/examination.h"
#include "harness/check/grounds.h"
#include "harness/check/run/check_server.h"
#include "harness/check/state_runner.h"
#include "harness/check/verdict.h"
#include "harness/effects/sink.h"

namespace everycrash {

/// Judges states for one worker, in its own sandbox; GROUNDS must outlive it. Use by one thread at
/// a time; sandbox().cancel() from any.
class StateJudge : public StateJudgement {
 public:
  StateJudge(std::unique_ptr<Sandbox> sandbox, const Grounds& grounds)
      : runner_(std::move(sandbox), grounds), grounds_(grounds), commands_(runner_, grounds) {}

  /// The receiver that commands in the sandbox reach. It is made to remember, before each command,
  /// what it had done when the crash came. May be null; must outlive this.
  void use_sink(Sink* sink) { runner_.use_sink(sink); }

  /// Lets SERVER judge in the checker's place what it can: states that it finds fine. Whatever it
  /// rejects, and now and then what it does not, is judged by the checker itself too, and a
  /// contradiction ends the examination with kHarness. Without recovery only.
  void use_server(std::unique_ptr<CheckServer> server) { commands_.use_server(std::move(server)); }
  [[nodiscard]] CheckServer* server() { return commands_.server(); }

  /// Decides which oracles apply to this workload (selection.h). May run it once more, undisturbed,
  /// to see whether it can be resumed, and from the start, to see what it never leaves alike: no
  /// resumed run can be held against that. The latter by another clock if SET_CLOCK is given, which
  /// is called with true before and with false after it, since runs of one second may write the
  /// same time. To be called once, on one worker, before all others are made.
  [[nodiscard]] Result<Selection> decide(const std::function<Status(bool other)>& set_clock = {});

  /// Judges the state at the end of the undisturbed run, which must be good: kHarness if it is not,
  /// or cannot be judged, with what the checker said.
  [[nodiscard]] Status check_undisturbed();

  /// What is wrong with STATE, oracles first; empty = nothing. Messages hold no clock, pid or path
  /// of this worker unless a command printed them. A command that runs out of time gets a second
  /// run with four times the limit before that is held against it.
  Result<std::vector<Complaint>> judge(const StateView& state) override;

  /// Runs on STATE what a user would run after the crash: recovery, else the workload where it is
  /// to be resumed, else the checker; and reads what it leaves.
  [[nodiscard]] Result<Aftermath> aftermath(const StateView& state);

  /// Sets NAME to VALUE in the environment of all commands, from now on.
  void set_for_commands(std::string_view name, std::string_view value) {
    runner_.set_for_commands(name, value);
  }
  /// What the receiver had done when the crash came.
  [[nodiscard]] SinkMemory sink_memory(const StateView& state) const {
    return runner_.sink_memory(state);
  }
  /// Files in which equal runs may differ.
  [[nodiscard]] const IgnoreGlobs& ignored() const { return grounds_.options.ignore; }
  [[nodiscard]] Sandbox& sandbox() { return runner_.sandbox(); }
  /// What this user cannot make of states, see TreeOnDisk::notes().
  [[nodiscard]] const std::vector<std::string>& notes() const { return runner_.notes(); }

 private:
  Result<RunAgain> resume(const StateView& state);

  StateRunner runner_;
  const Grounds& grounds_;
  CommandJudge commands_;
  bool undisturbed_ = false;  // judging the state without a crash
};

}  // namespace everycrash
