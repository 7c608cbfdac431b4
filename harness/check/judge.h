// From a crash state to its complaints: materialise it, run recovery, checker or the workload again
// in a sandbox, and ask the oracles that apply.
#pragma once

#include <sys/stat.h>

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.h"
#include "harness/check/exactly_once.h"
#include "harness/check/examination.h"
#include "harness/check/history.h"
#include "harness/check/oracles.h"
#include "harness/check/run/check_server.h"
#include "harness/check/run/command.h"
#include "harness/check/run/given_file.h"
#include "harness/check/run/materialise.h"
#include "harness/check/run/run_watch.h"
#include "harness/check/run/sandbox.h"
#include "harness/check/verdict.h"
#include "harness/effects/find_effects.h"
#include "harness/effects/sink.h"
#include "harness/model/difference.h"

namespace everycrash {

/// What was asked for. Commands that are empty were not given.
struct JudgeOptions {
  Command check;
  Command recover;
  Command resume;             ///< the workload
  bool resume_asked = false;  ///< resume even if a second undisturbed run changes something
  /// Beside the checker; without a checker, empty = all that apply. Temporary files that stay
  /// behind are only held against a workload where `oracles` or `resume_asked` says so.
  std::set<Judge> oracles;
  Acknowledgement acknowledgement;
  IgnoreGlobs ignore;
  int limit_ms = 10'000;  ///< of one command
  EffectRules effects;    ///< with which the trace was looked at too (announce_effects)
  Occurrence occurrence = Occurrence::kExactlyOnce;
};

/// The oracle that a user names: "half-file", "acknowledged", "resume", "no-leftovers",
/// "exactly-once", "recovery-twice" (blanks and '-' are the same); nullopt for anything else.
[[nodiscard]] std::optional<Judge> oracle_named(std::string_view name);

/// Which verdicts are given.
struct Selection {
  std::set<Judge> judges;
  HabitualEffects habitual;
  /// Files that no two undisturbed runs leave alike (times, random numbers): what a resumed run
  /// writes there is not compared.
  std::set<std::string> varying;
  std::vector<std::string>
      not_measured;  ///< what does not apply and why, a line each, for a person
};

/// All that judges of one trace share; read-only.
struct Grounds {
  History history;
  Promises promises;
  JudgeOptions options;
  Selection selection;
  FoundEffects effects;  ///< of the recorded run, beside what it wrote to $EVERYCRASH_EVENTS
  /// The run again is watched for effects that it does not name itself.
  [[nodiscard]] bool watches() const {
    return !options.effects.empty() || !effects.effects.empty() || !effects.requests.empty();
  }
};

/// A state directory after something ran on a crash state.
struct Aftermath {
  std::string what;                ///< "recovery", "running it again", "the checker"; "" = nothing
  std::optional<FileSystem> tree;  ///< absent if nothing ran, or it did not end
};

/// Judges states for one worker, in its own sandbox; GROUNDS must outlive it. Use by one thread at
/// a time; sandbox().cancel() from any.
class StateJudge : public StateJudgement {
 public:
  StateJudge(std::unique_ptr<Sandbox> sandbox, const Grounds& grounds);
  /// The receiver that commands in the sandbox reach. It is made to remember, before each command,
  /// what it had done when the crash came. May be null; must outlive this.
  void use_sink(Sink* sink) { sink_ = sink; }

  /// Lets SERVER judge in the checker's place what it can: states that it finds fine. Whatever it
  /// rejects, and now and then what it does not, is judged by the checker itself too, and a
  /// contradiction ends the examination with kHarness. Without recovery only.
  void use_server(std::unique_ptr<CheckServer> server) { server_ = std::move(server); }
  [[nodiscard]] CheckServer* server() { return server_.get(); }

  /// Decides which oracles apply to this workload: those that were asked for, or with neither a
  /// checker nor a wish all that can be judged. May run the workload once more, undisturbed, to see
  /// whether it can be resumed, and from the start, to see what it never leaves alike: no resumed
  /// run can be held against that. The latter by another clock if SET_CLOCK is given, which is
  /// called with true before and with false after it, since runs of one second may write the same
  /// time. To be called once, on one worker, before all others are made.
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
  void set_for_commands(std::string_view name, std::string_view value);

  /// What the receiver had done when the crash came.
  [[nodiscard]] SinkMemory sink_memory(const StateView& state) const {
    return sink_memory_at(state.effects != nullptr ? *state.effects : grounds_.effects,
                          state.record);
  }

  /// Files in which equal runs may differ.
  [[nodiscard]] const IgnoreGlobs& ignored() const { return grounds_.options.ignore; }

  [[nodiscard]] Sandbox& sandbox() { return *sandbox_; }
  /// What this user cannot make of states, see TreeOnDisk::notes().
  [[nodiscard]] const std::vector<std::string>& notes() const { return disk_.notes(); }

 private:
  using Complaints = std::vector<Complaint>;
  struct Attempt {
    Complaints complaints;
    bool timed_out = false;
    bool clean = false;               ///< resumed to the tree of the undisturbed run
    std::vector<Difference> changes;  ///< if not: what is different
    std::string recovery_failed;      ///< why it was not even run, "" if it was
    std::string events;               ///< of a resumed run
    std::string unseen;               ///< why its effects are not known, "" if they are
  };

  [[nodiscard]] bool selected(Judge judge) const {
    return grounds_.selection.judges.contains(judge);
  }
  [[nodiscard]] bool resumes() const;
  [[nodiscard]] bool forgives_temporary() const;
  [[nodiscard]] bool forgives_layout() const;
  Result<Complaints> judge_with_commands(const StateView& state);
  Result<Complaints> judge_with_checker(const StateView& state);
  Result<Attempt> attempt_check(const StateView& state, int limit_ms);
  Status attempt_recovery(Attempt& attempt, int limit_ms);
  Result<CommandRun> run_again(const StateView& state, int limit_ms, Attempt& attempt);
  Status see_effects(const StateView& state, Attempt& attempt);
  void judge_effects(const StateView& state, Attempt& attempt) const;
  Result<Attempt> attempt_resume(const StateView& state, int limit_ms);
  Result<Attempt> resume_patiently(const StateView& state);
  [[nodiscard]] bool is_other_end(const std::string& path, const StateView& state,
                                  const FileSystem& found) const;
  [[nodiscard]] std::vector<Difference> differences_after(const StateView& state,
                                                          const FileSystem& found) const;
  void compare_resumed(const StateView& state, const FileSystem& found, Attempt& attempt) const;
  Status put(const StateView& state);
  [[nodiscard]] Command prepared(const Command& given) const;
  [[nodiscard]] std::string tidy(const std::string& output) const;
  [[nodiscard]] std::string message(std::string_view who, const CommandRun& run) const;
  [[nodiscard]] std::optional<Complaint> complain(Judge judge, std::string_view who,
                                                  const Command& command,
                                                  const CommandRun& run) const;
  Result<Selection> select();
  Status forgive_varying(Selection& selection);
  void select_resume(Selection& selection, const Attempt& second) const;
  void withdraw_resume(Selection& selection, bool counts_effects) const;
  void select_effects(Selection& selection, const Attempt& second) const;

  std::unique_ptr<Sandbox> sandbox_;
  std::unique_ptr<CheckServer> server_;  // may be null
  uint64_t asked_ = 0;                   // the server
  const Grounds& grounds_;
  TreeOnDisk disk_;
  Command check_, recover_, resume_;  // with the environment that they get here
  GivenFile stdout_, effects_;
  std::string events_;  // of which effects_ holds the effects
  Sink* sink_ = nullptr;
  std::optional<RunWatch> watch_;
  bool undisturbed_ = false;  // judging the state without a crash
};

}  // namespace everycrash
