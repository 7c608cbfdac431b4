// Which file a call is about, and whether it is one of those that we record.
#pragma once

#include <stdint.h>
#include <sys/stat.h>

#include "harness/record/preload/core/paths.h"
#include "harness/trace/format.h"

namespace everycrash::preload {

enum class Place {
  kElsewhere,
  kState,   ///< in the state directory, or itself
  kStdout,  ///< the workload's standard output
  kEvents,  ///< the file behind $EVERYCRASH_EVENTS
};

/// A file, by descriptor or by name.
struct Object : Found {
  Place place = Place::kElsewhere;
  uint32_t flags = 0;  ///< format::kDirectory, kUnlinked, kPathCut
  Path path;           ///< kState: relative to the state directory

  [[nodiscard]] uint64_t inode() const { return exists ? status.st_ino : 0; }
  [[nodiscard]] bool in_state() const { return place == Place::kState; }
};

/// Whether the descriptor can be one of ours at all. Without the lock, and cheap. Fills in STATUS.
bool may_concern_us(int descriptor, struct stat& status);

/// The same, or DESCRIPTOR is a socket: what is sent on it may be recorded.
bool may_be_sent_to(int descriptor, struct stat& status);

/// Describes what DESCRIPTOR refers to. False if it is none of ours. Under the lock.
bool look_at_descriptor(int descriptor, Object& object);
/// The same, for a descriptor whose STATUS is known.
bool look_at_descriptor(int descriptor, const struct stat& status, Object& object);

/// How DESCRIPTOR, which was just looked at, was opened: see flags_of_descriptor. Under the lock.
uint32_t open_flags_of(int descriptor);

/// Makes sure the next look at DESCRIPTOR asks the kernel again. Under the lock.
void forget_descriptor(int descriptor);

enum class Links { kFollow, kKeep };

/// Describes what NAME, a string of the program, refers to from the folder DIRECTORY (or AT_FDCWD).
/// False if that cannot be told, or if it is not in the state directory; the object's place and
/// status are still right in the second case. Under the lock.
bool look_at_name(int directory, const char* name, Links links, Object& object);

/// As look_at_name, with an *at call's flags: AT_EMPTY_PATH and, if LINKS is kFollow,
/// AT_SYMLINK_NOFOLLOW.
bool look_at_name_with_flags(int directory, const char* name, int flags, Object& object);

}  // namespace everycrash::preload
