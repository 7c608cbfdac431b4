// Habits in a trace that are often mistakes: to see them needs no exploration.
//
// They are notes, printed beside findings, never violations of their own: a program may well know
// better.
//
// Sources: fsync(2) on directory entries, rename(2) on the window with both names, and the patterns
// of section 4 of ALICE (Pillai et al., OSDI 2014).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/trace/trace.h"

namespace everycrash {

enum class HabitKind : uint8_t {
  kRenameWithoutFsync,    ///< a file is renamed whose content was not synced before
  kNoDirectoryFsync,      ///< something is printed while a new name is not synced
  kTruncateInPlace,       ///< a file is emptied and written again, in place
  kUnlinkBeforeRename,    ///< a name is removed and then made again: in between there is none
  kAckBeforeFsync,        ///< something is printed while written content is not synced
  kFdatasyncForName,      ///< a new file is only ever fdatasynced before something is printed
  kCrossDirectoryRename,  ///< a rename between folders: two folders need a sync
  kLeftoverTemp,          ///< an undisturbed run leaves a temporary file
};
/// Its stable id: "rename-without-fsync".
[[nodiscard]] std::string_view name_of(HabitKind kind);

/// One habit at one place: equal kind, call stack and path (but for numbers in it) are one.
struct Habit {
  HabitKind kind = HabitKind::kRenameWithoutFsync;
  std::string path;     ///< the file, relative to the state directory
  uint64_t record = 0;  ///< the operation where it first shows
  uint64_t occurrences = 1;
};

/// All habits in TRACE, in the order of the trace.
[[nodiscard]] std::vector<Habit> find_habits(const Trace& trace);

}  // namespace everycrash
