// The ways to break the job: each is exactly one mistake that people make, chosen by `--break`.
#pragma once

#include <span>
#include <string_view>

#include "scenarios/common/break_entry.h"
#include "scenarios/common/failure.h"

namespace scenarios::state_manager {

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

/// All breaks, in the order of Break, without kNone.
[[nodiscard]] std::span<const BreakEntry<Break>> break_table();

/// The break of that name; a failure that tells how to list them.
[[nodiscard]] Expected<Break> parse_break(std::string_view name);

/// "none" for Break::kNone.
[[nodiscard]] std::string_view break_name(Break value);

}  // namespace scenarios::state_manager
