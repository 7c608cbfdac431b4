// Verdicts on one crash state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace everycrash {

/// Ordered from good to bad; only kSurvived is ever counted as good.
enum class Verdict : uint8_t {
  kSurvived,
  kNotMeasured,  ///< the checker could not judge: exit 77, or the budget ended
  kViolated,
  kHarnessBroken,  ///< the checker cannot be started, or fails without a crash too
};

/// Who judged.
enum class Judge : uint8_t {
  kChecker,
  kHalfFile,
  kAcknowledged,
  kResume,
  kNoLeftovers,
  kExactlyOnce,
  kRecoveryTwice,
  kRecovery,
  kSilentSuccess,  ///< a call failed, and the run says that all is well
  kEndless,        ///< a call failed, and the run does not end
  kSerial,         ///< two runners at once, against one after the other
};

/// What is wrong with a state, or keeps it from being judged.
enum class Wrong : uint8_t {
  kUnknown,
  // What a program did that was run on the state; the judge says which one.
  kRejected,         ///< it failed: by its exit status, or it died by a signal
  kTimedOut,         ///< it was killed after its limit, and had several of it
  kNotStarted,       ///< it cannot be started
  kCannotTell,       ///< a checker says that it cannot judge
  kLeavesProcesses,  ///< a checker accepts, but what it left running may have been the check
  kUnreadable,       ///< the file system cannot be read any more
  // What a file is.
  kMissing,
  kEmpty,
  kHalfWritten,
  kForeign,       ///< something else than it was at any time
  kGone,          ///< although it was promised
  kOlder,         ///< than was promised
  kDiffers,       ///< from what an undisturbed run leaves
  kOtherLayout,   ///< other bytes in what is updated in place
  kLeftover,      ///< no undisturbed run leaves it
  kChangedAgain,  ///< by recovering once more
  kNoOrder,       ///< no order of two runners leaves it
  kSilentLoss,    ///< lost, though the run says that all is well
  kIncomparable,  ///< not as in the recorded run, which may be right
  // What became of an effect.
  kDuplicateEffect,
  kLostEffect,
  kUnseenEffects,  ///< it is not known which there were
  // What became of the run that was to make the state, or of the judge.
  kEndless,       ///< it goes on when it has done many times what it should
  kNeverCame,     ///< it did not come to the crash point or fault
  kRunnerFailed,  ///< one of two failed halfway
  kUnusable,      ///< nothing can be said on its ground
  kFlaky,         ///< the judge says now this, now that
};

/// One reason why a state is not good. Only people read its message: what anything depends on is in
/// the other fields.
struct Complaint {
  Judge judge = Judge::kChecker;
  Verdict verdict = Verdict::kViolated;
  /// The broken file, relative to the state directory, "" if it is not one. Of kExactlyOnce: the
  /// effect, "charge order-17".
  std::string path;
  std::string message;  ///< for a person, one or a few lines; no clock, no pid, no temporary path
  Wrong wrong = Wrong::kUnknown;
  int signal = 0;       ///< that killed the program, 0 = none did
  std::string said;     ///< the beginning of what the program itself printed
  std::string run_end;  ///< of a run in which a call failed: how that ended, "exit status 1"
  friend bool operator==(const Complaint&, const Complaint&) = default;
};

[[nodiscard]] inline bool is_violation(const Complaint& complaint) {
  return complaint.verdict == Verdict::kViolated;
}
/// Null if there is none. Points into COMPLAINTS.
[[nodiscard]] const Complaint* first_violation(const std::vector<Complaint>& complaints);

/// What became of an effect over a crash and the run after it.
enum class EffectFault : uint8_t { kNone, kDuplicate, kLoss };

/// kNone where it is not about an effect.
[[nodiscard]] EffectFault effect_fault_of(const Complaint& complaint);

[[nodiscard]] const char* name_of(Judge judge);        ///< "checker", "half file", ...
[[nodiscard]] const char* name_of(Verdict verdict);    ///< "survived", "not measured", ...
[[nodiscard]] const char* name_of(Wrong wrong);        ///< "half written", ...; "" of kUnknown
[[nodiscard]] const char* name_of(EffectFault fault);  ///< "duplicate", "loss"; "" of kNone

/// The one of that name, as name_of() tells it; nullopt if none has it.
[[nodiscard]] std::optional<Judge> judge_named(std::string_view name);
[[nodiscard]] std::optional<Verdict> verdict_named(std::string_view name);
[[nodiscard]] std::optional<Wrong> wrong_named(std::string_view name);

}  // namespace everycrash
