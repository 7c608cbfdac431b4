#include "harness/cli/document/habit_words.h"

namespace everycrash::cli {

std::string words_for(HabitKind kind) {
  switch (kind) {
    case HabitKind::kRenameWithoutFsync:
      return "a file is renamed to this before its content was synced; the name can be on disk "
             "without the content";
    case HabitKind::kNoDirectoryFsync:
      return "something is printed before the folder of this new name was synced";
    case HabitKind::kTruncateInPlace:
      return "the file is emptied and written again in place; a crash in between loses both "
             "contents";
    case HabitKind::kUnlinkBeforeRename:
      return "the name is removed before the new file takes it; rename replaces it in one step";
    case HabitKind::kAckBeforeFsync:
      return "something is printed before this was synced; if it is a promise, a power loss breaks "
             "it";
    case HabitKind::kFdatasyncForName:
      return "the new file is only fdatasynced, which need not bring its name to disk";
    case HabitKind::kCrossDirectoryRename:
      return "a rename between folders; both need a sync, and a crash can show both names";
    case HabitKind::kLeftoverTemp:
      return "the run ends and leaves a file that looks temporary";
  }
  return "";
}

}  // namespace everycrash::cli
