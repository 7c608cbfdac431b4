// The ways to break the job: each is exactly one mistake that people make, chosen by `--break`.
#pragma once

#include <span>
#include <string_view>

#include "scenarios/state_manager/failure.h"

namespace state_manager {

enum class Break {
  kNone,
  kOverwriteInPlace,
  kNoFsync,
  kFsyncAfterRename,
  kNoDirFsync,
  kFlushOnly,
  kTempElsewhere,
  kFixedTempName,
  kIgnoreWriteError,
  kIgnoreFsyncError,
  kLeftoverTemp,
  kDoneBeforeEffect,
  kEffectWithoutKey,
  kKeyWithTimestamp,
  kAppendOutput,
  kRecoverEverything,
  kLocalTime,
  kClockBackwards,
  kUnlimitedRetries,
  kRetryPermanent,
  kCorruptIsEmpty,
  kLostUpdate,
  kLockTheTarget,
};

struct BreakEntry {
  Break value;
  std::string_view name;
  /// The expectation: the crash kinds under which it must be found, blank-separated. A kind is a
  /// word of `everycrash test --crash`, or `concurrent` (a second runner) or `clock`;
  /// `power:posix+xfs` names the only models that show it.
  std::string_view found_under;
  std::string_view mistake;  ///< one line
  /// What the checker says of it, in part; "A|B" = one of these. "" = not laid down.
  std::string_view signs;
};

/// All breaks, in the order of Break, without kNone.
[[nodiscard]] std::span<const BreakEntry> break_table();

/// The break of that name; a failure that tells how to list them.
[[nodiscard]] Expected<Break> parse_break(std::string_view name);

/// "none" for Break::kNone.
[[nodiscard]] std::string_view break_name(Break value);

}  // namespace state_manager
