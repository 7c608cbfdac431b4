// What keeps commands from changing anything but the state directory: a private mount namespace in
// which all is read-only but the tree (at its recorded path), everycrash's own files, and
// throw-away layers over the folders for temporary files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/error.h"

namespace everycrash {

/// What this machine lets a sandbox do.
struct Capabilities {
  bool user_namespace = false;  ///< used to get the others without being root
  bool mount_namespace = false;
  bool pid_namespace = false;      ///< nothing that a command starts outlives it
  bool recorded_path = false;      ///< the tree is at the path that was recorded
  bool writes_contained = false;   ///< by read-only mounts or Landlock
  bool network_namespace = false;  ///< a loopback of its own, and no other network
  bool temporary_layer = false;    ///< /tmp is writable, and what is left there is thrown away
  std::string explanation;         ///< why something is missing and what to do, "" if nothing is
};

/// Where things are.
struct Places {
  std::filesystem::path recorded;  ///< path of the state directory while recording
  std::filesystem::path tree;      ///< what stands for it now
  std::filesystem::path files;     ///< writable for commands, at its own path
  std::filesystem::path scratch;   ///< an empty folder for a private tmpfs
  bool own_network = false;        ///< a network namespace is wanted
  bool own_processes = true;       ///< a PID namespace is wanted
};

/// The mounts of one helper process, which must be single-threaded and alone in using this. They
/// vanish with its mount namespace; nothing is to be cleaned up.
class Containment {
 public:
  explicit Containment(Places places) : places_(std::move(places)), directory_(places_.tree) {}
  Containment(const Containment&) = delete;
  Containment& operator=(const Containment&) = delete;
  ~Containment();

  /// Enters namespaces and mounts. Without a failure capabilities() say what the machine allows;
  /// after one the process is of no use any more, since it may be half way in.
  Status enter();
  [[nodiscard]] const Capabilities& capabilities() const { return capabilities_; }
  /// Where commands find the tree.
  [[nodiscard]] const std::filesystem::path& directory() const { return directory_; }
  /// True if a command left something in the throw-away layers.
  [[nodiscard]] bool dirty() const;
  /// Throws the layers away and makes new ones.
  Status renew();

 private:
  struct Layer {
    std::string directory;
    std::string name;  ///< of its folders in the scratch file system
  };
  struct Usage {
    uint64_t blocks = 0, inodes = 0;
    friend bool operator==(const Usage&, const Usage&) = default;
  };

  Status enter_namespaces();
  void enter_network();
  Status make_all_read_only();
  Status build();
  Status add_layer(const Layer& layer);
  Status attach(int source, const std::filesystem::path& target);
  void put_tree_in_place();
  [[nodiscard]] Usage usage() const;

  Places places_;
  std::filesystem::path directory_;
  Capabilities capabilities_;
  int tree_ = -1, files_ = -1, scratch_ = -1;  // O_PATH, of the mounts below the layers
  std::vector<std::string> mounted_;           // in order
  Usage clean_;
};

/// Creates FOLDER with its parents; true if it exists in the end.
bool make_folders(const std::filesystem::path& folder);

}  // namespace everycrash
