// What oracles do not judge, as facts: which one, of what, why, and what would judge it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/check/flaw.h"
#include "harness/check/verdict.h"

namespace everycrash {

/// Why something is not judged. In the order in which it is told.
enum class Unjudged : uint8_t {
  kNothing,             ///< there is nothing to tell
  kNoRecovery,          ///< there is no recovery that could be repeated
  kNoEffects,           ///< the workload had none
  kNotCounted,          ///< messages to a peer, which are no effects
  kEncrypted,           ///< what was sent to a peer, so that requests cannot be told apart
  kAssumedKeys,         ///< nobody knows whether the receiver knows its keys again
  kNothingPromised,     ///< at no time
  kWrittenSo,           ///< a file has no whole versions, see Flaw
  kMoreWrittenSo,       ///< more of these
  kSendsOutside,        ///< the workload would send to other machines again
  kRecoveryFails,       ///< before a second undisturbed run, which could not be made
  kSecondRunFails,      ///< the undisturbed one
  kSecondRunChanges,    ///< something
  kSecondRunRepeats,    ///< its effects
  kEffectOfEachRun,     ///< these effects are repeated by a second undisturbed run
  kTemporaryLeftovers,  ///< files that the run takes away again
  kNewFiles,            ///< until they are whole for the first time
  kSpareCopies,         ///< while the file itself is whole
  kContentsVary,        ///< of these files, in each undisturbed run
  kFirstRunFails,       ///< a run from the start, once more
  kNamesVary,           ///< in each undisturbed run
};

/// What would judge it.
enum class Remedy : uint8_t {
  kNone,
  kRecovery,            ///< a recovery command
  kChecker,             ///< a checker
  kCheckerIfItMatters,  ///< a checker
  kCheckerOrHalfFile,   ///< a checker, or the oracle by name
  kIgnoreOrChecker,     ///< a checker, or to leave out what differs
  kResumeIfItMay,       ///< --resume
  kResumeIfMeant,       ///< --resume
  kResumeOrLeftovers,   ///< --resume, or the oracle by name
  kExactlyOnce,         ///< the oracle by name
  kSink,                ///< a receiver that shows it
};

/// One thing that is not judged. A value.
struct NotJudged {
  Unjudged why = Unjudged::kNothing;
  Judge judge = Judge::kChecker;   ///< that does not
  std::vector<std::string> names;  ///< files or effects that it does not judge
  std::string text;                ///< what a program said, or what is different
  std::optional<Flaw> flaw;        ///< of kWrittenSo
  size_t count = 0;                ///< of kMoreWrittenSo: files; of kNotCounted: messages
  friend bool operator==(const NotJudged&, const NotJudged&) = default;
};

[[nodiscard]] Remedy remedy_of(Unjudged why);

/// One line for a person: "app.log is appended to; give a checker".
[[nodiscard]] std::string describe(const NotJudged& not_judged);

}  // namespace everycrash
