// The folder in which one run of everycrash works: on a memory file system, gone when the run ends.
#pragma once

#include <filesystem>

#include "harness/base/error.h"

namespace everycrash {

/// Owns its folder and removes it with everything in it. A run that was killed leaves its folder
/// behind; the next one to start sees that its owner is gone (the lock on the folder is free) and
/// removes it. Not thread-safe.
class Workspace {
 public:
  static Result<Workspace> create();
  Workspace(Workspace&& other) noexcept;
  Workspace& operator=(Workspace&&) = delete;
  ~Workspace();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// False if no memory file system could be had; then states are built on a disk, more slowly.
  [[nodiscard]] bool in_memory() const { return in_memory_; }

 private:
  Workspace(std::filesystem::path path, int lock, bool in_memory)
      : path_(std::move(path)), lock_(lock), in_memory_(in_memory) {}

  std::filesystem::path path_;
  int lock_;
  bool in_memory_;
};

/// Removes the work folders that killed runs of this user have left, and gives back the loop
/// devices that their records name. Returns how many folders there were.
int remove_abandoned_workspaces();

/// Removes DIRECTORY with all below it, also folders that nobody may enter.
void remove_tree(const std::filesystem::path& directory);

}  // namespace everycrash
