// A verdict that everycrash gives without a checker: when it is given, and what it says.
//
// A new one is a file like its neighbours and a line in all_oracles.cc. An innocent program must
// never be accused, so each keeps two truth tables: when it applies, and what it forgives.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/check/examination.h"
#include "harness/check/grounds.h"
#include "harness/check/not_judged.h"
#include "harness/check/truth_table.h"
#include "harness/check/verdict.h"
#include "harness/model/difference.h"
#include "harness/model/file_system.h"

namespace everycrash {

/// What was asked for and what undisturbed runs have shown: on what it depends whether an oracle
/// applies. What is not known yet does not hold.
enum class Circumstance : uint8_t {
  kByDefault,       ///< neither a checker nor any oracle was asked for
  kAsked,           ///< this oracle was, by name
  kResumeAsked,     ///< by --resume
  kRecovery,        ///< a recovery command is given
  kEffects,         ///< the recorded run had some
  kEffectRules,     ///< it was said how to look for them
  kPromises,        ///< the recorded run made some
  kSendsOutside,    ///< the recorded run sent to other machines
  kRanAgain,        ///< the workload, on what it had left
  kRecovered,       ///< recovery before that succeeded, or there is none
  kSucceeded,       ///< and so did the run
  kSame,            ///< and it changed nothing
  kRepeated,        ///< it had effects again
  kRepeatedAll,     ///< and but for those there are none
  kStartRecovered,  ///< the same once more from the start: recovery,
  kStartSucceeded,  ///< the run,
  kStartSame,       ///< which left what the recorded run left,
  kStartSameNames,  ///< or other contents under the same names
};
using Circumstances = Facts<Circumstance>;

enum class Applies : uint8_t {
  kNo,
  kIfAsked,  ///< for this oracle by name: what speaks against it is then only told
  kYes,
};
/// Whether an oracle applies, and what is told if not all is judged.
struct Applicability {
  Applies applies = Applies::kNo;
  Unjudged told = Unjudged::kNothing;
  friend bool operator==(const Applicability&, const Applicability&) = default;
};
using ApplicabilityRow = TruthRow<Circumstance, Applicability>;

/// What the next run left, but for what is forgiven.
struct NextRun {
  std::vector<Difference> others;  ///< but leftovers
  std::vector<Difference> leftovers;
  std::string other_layout;  ///< a file that holds other bytes, which may be as good; "" if none
  std::string events;        ///< that it had
  std::string unseen;        ///< why its effects are not known, "" if they are

  /// It left what an undisturbed run leaves.
  [[nodiscard]] bool clean() const { return others.empty() && leftovers.empty(); }
};

/// A state, and what came of the runs on it.
struct Seen {
  const Grounds& grounds;
  const StateView& state;
  const FileSystem* recovered = nullptr;        ///< the tree after recovery, null: not asked for
  const FileSystem* recovered_twice = nullptr;  ///< and after the next one
  const NextRun* next = nullptr;                ///< null: there was none, or it failed

  /// Of the run that crashed.
  [[nodiscard]] const History& history() const {
    return state.history != nullptr ? *state.history : grounds.history;
  }
  [[nodiscard]] const Promises& promises() const {
    return state.promises != nullptr ? *state.promises : grounds.promises;
  }
  [[nodiscard]] const FoundEffects& effects() const {
    return state.effects != nullptr ? *state.effects : grounds.effects;
  }
};

/// Immutable; safe to use from several threads.
class Oracle {
 public:
  /// What it has to see.
  enum class Sees : uint8_t { kState, kRecoveries, kNextRun };

  virtual ~Oracle() = default;
  [[nodiscard]] virtual Judge name() const = 0;
  [[nodiscard]] virtual Sees sees() const = 0;
  /// The truth table of when it applies.
  [[nodiscard]] virtual std::span<const ApplicabilityRow> when() const = 0;
  [[nodiscard]] Applicability applies(Circumstances circumstances) const {
    return decide(when(), circumstances);
  }
  /// Adds to NOT_JUDGED what it does not judge of GROUNDS though it may apply; SELECTION are all
  /// that do.
  virtual void leave_out(const Grounds& grounds, const Selection& selection,
                         std::vector<NotJudged>& not_judged) const;
  /// What is wrong with a state, once all is seen that it has to see; empty = nothing.
  [[nodiscard]] virtual std::vector<Complaint> judge(const Seen& seen) const = 0;
};

}  // namespace everycrash
