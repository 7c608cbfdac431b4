// The ways to break the job: each is exactly one mistake that people make, chosen by `--break`.
#pragma once

#include <span>
#include <string_view>

#include "scenarios/common/failure.h"

namespace scenarios::job_ledger {

enum class Break {
  kNone,
  kCheckThenCreate,
  kStaleTooShort,
  kNeverStale,
  kPidOnly,
  kTakeoverByUnlink,
  kStageBeforeWork,
  kMarkerNotDurable,
  kTruthFromMarkers,
};

struct BreakEntry {
  Break value;
  std::string_view name;
  /// The expectation: the crash kinds under which it must be found, blank-separated. A kind is a
  /// word of `everycrash test --crash`, or `concurrent` (a second runner) or `clock`.
  std::string_view found_under;
  std::string_view mistake;  ///< one line
  /// What the checker says of it, in part; "A|B" = one of these.
  std::string_view signs;
};

/// All breaks, in the order of Break, without kNone.
[[nodiscard]] std::span<const BreakEntry> break_table();

/// The break of that name; a failure that tells how to list them.
[[nodiscard]] Expected<Break> parse_break(std::string_view name);

/// "none" for Break::kNone.
[[nodiscard]] std::string_view break_name(Break value);

}  // namespace scenarios::job_ledger
