// In which order the job writes, syncs and renames: what a power failure depends on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "scenarios/common/crash_trial.h"

namespace scenarios::state_manager {
namespace {

using Calls = std::vector<std::string>;

/// The calls from mark-done's save on, in a job of one step: what lies between the mail and the
/// acknowledgement (a write).
Calls calls_of_mark_done(const std::string& mistake) {
  CrashTrial trial(SCENARIO_PROGRAM);
  Calls arguments = {"run", "--steps", "1", "--seed", "2"};
  if (!mistake.empty()) arguments.insert(arguments.end(), {"--break", mistake});
  Calls calls = trial.run_and_list_calls(arguments);
  const auto mailed = std::find(calls.begin(), calls.end(), "recvfrom");
  if (mailed == calls.end()) return {};
  calls.erase(calls.begin(), mailed + 1);
  return calls;
}

const std::string kOpen = "openat state.json.1.tmp";
const std::string kRename = "renameat state.json.1.tmp";

TEST(Calls, OfTheReferenceSyncTheFileBeforeAndTheDirectoryAfterTheRename) {
  EXPECT_EQ(calls_of_mark_done(""), (Calls{kOpen, "write", "fsync", kRename, "fsync", "write"}));
}

TEST(Calls, OfNoFsyncLackTheFilesSync) {
  EXPECT_EQ(calls_of_mark_done("no-fsync"), (Calls{kOpen, "write", kRename, "fsync", "write"}));
}

TEST(Calls, OfFsyncAfterRenameHaveItTooLate) {
  EXPECT_EQ(calls_of_mark_done("fsync-after-rename"),
            (Calls{kOpen, "write", kRename, "fsync", "fsync", "write"}));
}

TEST(Calls, OfNoDirFsyncLackTheDirectorysSync) {
  EXPECT_EQ(calls_of_mark_done("no-dir-fsync"), (Calls{kOpen, "write", "fsync", kRename, "write"}));
}

TEST(Calls, OfFlushOnlyLackTheFilesSync) {
  EXPECT_EQ(calls_of_mark_done("flush-only"), (Calls{kOpen, "write", kRename, "fsync", "write"}));
}

TEST(Calls, OfOverwriteInPlaceTruncateTheTarget) {
  EXPECT_EQ(calls_of_mark_done("overwrite-in-place"),
            (Calls{"openat state.json", "write", "fsync", "fsync", "write"}));
}

TEST(Calls, OfFixedTempNameUseOneNameForAll) {
  EXPECT_EQ(calls_of_mark_done("fixed-temp-name").front(), "openat state.json.tmp");
}

}  // namespace
}  // namespace scenarios::state_manager
