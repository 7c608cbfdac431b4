// Knows without looking at the files that nothing happened below a folder (inotify(7)).
#pragma once

#include <filesystem>

namespace everycrash {

/// Watches folders, each by itself. What happens through a memory mapping counts when the file is
/// closed, at the latest when its process has ended. Not thread-safe.
class TreeWatch {
 public:
  TreeWatch();
  ~TreeWatch();
  TreeWatch(const TreeWatch&) = delete;
  TreeWatch& operator=(const TreeWatch&) = delete;

  /// Watches FOLDER from now on; a removed one is forgotten by itself. Where that is not possible
  /// (too many watches), nothing is ever called quiet again.
  void add(const std::filesystem::path& folder);

  /// True if certainly nothing happened since the last call.
  bool quiet();

 private:
  int descriptor_;
  bool whole_ = true;  // every folder is watched
};

}  // namespace everycrash
