// A crash state on disk: one folder that becomes one state after another, changed only where it
// differs from what it holds.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/base/digest.h"
#include "harness/base/error.h"
#include "harness/check/run/tree_watch.h"
#include "harness/model/file_system.h"

namespace everycrash {

/// Owns what is below one folder, best on a memory file system; nobody else may change it, but for
/// commands that note_changes() is told of. Not thread-safe.
///
/// Files get times of the last half minute, as if the crash had just been: programs compare the
/// ages of lock files. Only times that the workload set itself are kept.
class TreeOnDisk {
 public:
  /// DIRECTORY exists; what it holds is replaced by the first become(). Nothing is removed in the
  /// end.
  explicit TreeOnDisk(std::filesystem::path directory);
  ~TreeOnDisk();
  TreeOnDisk(const TreeOnDisk&) = delete;
  TreeOnDisk& operator=(const TreeOnDisk&) = delete;

  /// Makes the folder hold TREE. Fails where the disk is full or something cannot be made; the next
  /// call then starts from scratch.
  Status become(const FileSystem& tree);

  /// To be called after a command ran in the folder: finds what it changed, so that the next
  /// become() repairs it. True if it changed anything.
  Result<bool> note_changes();

  /// What this user cannot make, each once: owners, devices, protected attributes.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  /// What tells an untouched file from a changed one.
  struct Stamp {
    ino_t inode = 0;
    mode_t mode = 0;
    nlink_t links = 0;
    off_t size = 0;
    struct timespec modified {};
    struct timespec changed {};
    [[nodiscard]] bool operator==(const Stamp& other) const;
  };
  /// Anything on disk but a folder; shared by all its names.
  struct File {
    bool known = false;  ///< false: a command made or changed it
    Digest digest;
    std::shared_ptr<const Attributes> attributes;
    std::string target;
    int64_t size = 0;
    std::map<uint64_t, Digest> pages;
    std::vector<std::string> paths;
    Stamp stamp;
  };
  struct Folder;
  struct Entry {
    std::shared_ptr<File> file;
    std::unique_ptr<Folder> folder;
  };
  struct Folder {
    Digest digest;  ///< zero = a command changed something below
    std::shared_ptr<const Attributes> attributes;
    std::map<std::string, Entry, std::less<>> entries;
    Stamp stamp;
    bool opened = false;  ///< made accessible, its mode is to be set again
  };
  struct Pending {  ///< a file that is to be placed
    std::string path;
    NodeId node;
  };
  struct Finishing {
    std::string path;
    Folder* folder;
    NodeId node;
  };

  Status become_from_known(const FileSystem& tree);
  Status arrange(const FileSystem& tree, const std::string& path, NodeId id, Folder& folder);
  Status open_up(const std::string& path, Folder& folder);
  Status remove(const std::string& path, Entry& entry);
  Status remove_name(const std::string& path, const std::shared_ptr<File>& file);
  Status place(const FileSystem& tree, const Pending& pending);
  Status place_linked(const FileSystem& tree, const Pending& pending);
  Status create(const FileSystem& tree, const std::string& path, NodeId id,
                std::shared_ptr<File>& made);
  Status update(const FileSystem& tree, NodeId id, const std::shared_ptr<File>& file);
  Status write_pages(const std::string& path, const Node& node, File& file);
  Status put_attributes(const std::string& path, const Attributes& wanted, const Attributes* had);
  Status put_extended(const std::string& path, const Attributes& wanted, const Attributes* had);
  Status finish(const FileSystem& tree);
  Status stamp(const std::string& path, const Attributes& attributes, Stamp& stamp);
  Status refresh_times(const std::string& path, Folder& folder);
  bool note_file(const std::string& path, Entry& entry);
  Result<bool> note_folder(const std::string& path, Folder& folder);
  Status note_entries(const std::string& path, Folder& folder);
  Status discover(const std::string& path, Entry& entry);
  Entry* find(std::string_view path, Folder** parent = nullptr);
  void note(const std::string& text);
  [[nodiscard]] static bool reusable(const File& file, const Node& node);
  [[nodiscard]] static bool look(int root, const std::string& path, Stamp& stamp);

  std::filesystem::path directory_;
  int root_ = -1;  // descriptor of the folder; all paths are relative to it
  TreeWatch watch_;
  bool privileged_;
  bool looked_ = false;  // at what was there before the first become()
  Folder top_;
  std::vector<Pending> pending_;
  std::vector<Finishing> finishing_;
  std::vector<std::shared_ptr<File>> touched_;
  std::unordered_map<NodeId, std::shared_ptr<File>> placed_;
  std::vector<std::string> notes_;
  struct timespec mark_ {};  // the time that files get
};

/// The tree below DIRECTORY. Fails where something cannot be read. Times are not taken.
[[nodiscard]] Result<FileSystem> read_tree(const std::filesystem::path& directory);

}  // namespace everycrash
