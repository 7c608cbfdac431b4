#include "scenarios/state_manager/break_table.h"

namespace scenarios::state_manager {
namespace {

constexpr BreakEntry<Break> kBreaks[] = {
    {Break::kOverwriteInPlace, "overwrite-in-place", "kill power",
     "opens the target with truncation and writes into it", "state.json cannot be read"},
    {Break::kNoFsync, "no-fsync", "power", "renames without fsync of the temp file",
     "is not whole|state.json cannot be read"},
    {Break::kFsyncAfterRename, "fsync-after-rename", "power",
     "calls fsync on the file only after the rename", "is not whole|state.json cannot be read"},
    {Break::kNoDirFsync, "no-dir-fsync", "power",
     "acknowledges after the rename, without fsync of the directory",
     "was printed, but|is missing"},
    {Break::kFlushOnly, "flush-only", "power", "flushes the stream and believes that is fsync",
     "is not whole|state.json cannot be read"},
    {Break::kTempElsewhere, "temp-elsewhere", "kill power",
     "has its temp file on another file system, so the rename is copy and unlink",
     "state.json cannot be read|is not whole"},
    {Break::kFixedTempName, "fixed-temp-name", "concurrent", "lets two runners share a temp name",
     ".tmp)"},
    {Break::kIgnoreWriteError, "ignore-write-error", "io-error",
     "does not look at what write returned, and renames", "is not whole|state.json cannot be read"},
    {Break::kIgnoreFsyncError, "ignore-fsync-error", "io-error",
     "does not look at what fsync returned, and renames", "the failed sync has not brought"},
    {Break::kLeftoverTemp, "leftover-temp", "kill",
     "gives each temp file a new name and never removes those of a crash", "the temp file"},
    {Break::kDoneBeforeEffect, "done-before-effect", "kill",
     "marks the step done, then sends its mail", "was never sent"},
    {Break::kEffectWithoutKey, "effect-without-key", "kill",
     "sends the mail without an idempotency key", "accepted 2 times"},
    {Break::kKeyWithTimestamp, "key-with-timestamp", "kill",
     "puts the time into the idempotency key, so a repeat has another key", "accepted 2 times"},
    {Break::kAppendOutput, "append-output", "kill",
     "appends to the output file, so a repeat duplicates lines", "holds lines twice"},
    {Break::kRecoverEverything, "recover-everything", "kill concurrent",
     "resets running steps at once, also those of a live runner",
     "was taken over|A second runner does harm|Of two runners at once"},
    {Break::kLocalTime, "local-time", "clock",
     "reads started_at, which is UTC, as local time (shows east of Greenwich)", "was taken over"},
    {Break::kClockBackwards, "clock-backwards", "clock",
     "waits by the wall clock alone, which may step back", "the restarted job waited until"},
    {Break::kUnlimitedRetries, "unlimited-retries", "io-error",
     "has no failed_stop: a poisoned step is tried for ever", "did not end|does not end"},
    {Break::kRetryPermanent, "retry-permanent", "io-error",
     "retries errors that cannot heal (bad input, access denied)", "cannot heal"},
    {Break::kCorruptIsEmpty, "corrupt-is-empty", "kill power",
     "overwrites in place and takes an unreadable state file for no state at all",
     "state.json cannot be read"},
    {Break::kLostUpdate, "lost-update", "concurrent",
     "replaces the state without looking whether another runner changed it",
     "does rename(state.json) over the other's rename(state.json)"},
    {Break::kLockTheTarget, "lock-the-target", "concurrent",
     "locks the file that rename replaces, so the lock is on a dead inode",
     "does rename(state.json) over the other's rename(state.json)"},
};

}  // namespace

std::span<const BreakEntry<Break>> break_table() {
  return kBreaks;
}

Expected<Break> parse_break(std::string_view name) {
  return find_break(break_table(), name, "state_manager");
}

std::string_view break_name(Break value) {
  return find_break_name(break_table(), value);
}

}  // namespace scenarios::state_manager
