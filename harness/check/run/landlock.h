// Landlock (landlock(7)): an ordinary process gives up writing outside chosen folders. Used where
// namespaces are refused, as in a container with the usual seccomp profile.
#pragma once

#include <filesystem>
#include <vector>

namespace everycrash {

/// From now on this process and all it starts can write only below FOLDERS, /dev and /proc, for
/// good. False, and nothing changed, where the kernel cannot (older than 5.19: it would also forbid
/// renames between folders).
bool forbid_writes_outside(const std::vector<std::filesystem::path>& folders);

}  // namespace everycrash
