// The ways to break the job: each is exactly one mistake that people make, chosen by `--break`.
#pragma once

#include "scenarios/common/break_table.h"

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
  kEnd,
};

inline constexpr BreakEntry<Break> kBreakEntries[] = {
    {Break::kCheckThenCreate, "check-then-create", "concurrent",
     "tests for the lock when it starts, and creates it without O_EXCL when it begins to work",
     "was published 2 times"},
    {Break::kStaleTooShort, "stale-too-short", "concurrent clock",
     "takes a lock for stale sooner than a run takes, and does not ask for the pid",
     "was published 2 times"},
    {Break::kNeverStale, "never-stale", "kill",
     "lets the lock of a killed runner block all later ones", "blocks the job"},
    {Break::kPidOnly, "pid-only", "kill",
     "asks only whether the pid is alive, which may be a stranger's by now",
     "a stranger has its pid"},
    {Break::kTakeoverByUnlink, "takeover-by-unlink", "concurrent",
     "unlinks the stale lock and creates its own, as a second runner may do meanwhile",
     "was published 2 times"},
    {Break::kStageBeforeWork, "stage-before-work", "kill power",
     "marks a stage as finished before its work is on disk", "says that it is finished"},
    {Break::kMarkerNotDurable, "marker-not-durable", "power",
     "reports success without fsync of the ledger entry and its directory", "was printed"},
    {Break::kTruthFromMarkers, "truth-from-markers", "kill",
     "publishes whatever is not in done/, without a look at what is out already",
     "was published 2 times"},
};

inline constexpr BreakTable<Break> kBreaks("job_ledger", kBreakEntries);

}  // namespace scenarios::job_ledger
