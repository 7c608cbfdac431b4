// Canonical paths, from what /proc and the kernel's own lookup say.
#pragma once

#include <sys/stat.h>

#include "harness/record/preload/core/text.h"
#include "harness/trace/format.h"

namespace everycrash::preload {

using Path = Buffer<format::kPathMax>;

/// What a name means.
struct Found {
  bool exists = false;
  bool through_link = false;  ///< the last component was a symbolic link, and was followed
  struct stat status;         ///< if it exists
};

/// The path by which DESCRIPTOR was opened, as it is called now, or was when it was unlinked.
bool path_of_descriptor(int descriptor, Path& absolute);

/// True if ABSOLUTE lies in the state directory; RELATIVE is then the rest of it.
bool relative_to_root(Text absolute, Path& relative);

/// Resolves NAME from DIRECTORY to a path without symbolic links; the last component may be
/// missing. Where the folder itself is missing (the call will fail too) it is resolved as text.
/// Fills in FOUND.
bool locate(int directory, Path& name, bool follow, Path& absolute, Found& found);

}  // namespace everycrash::preload
