// Makes the operations of a trace again, on a real file system.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.h"
#include "harness/model/file_system.h"
#include "harness/trace/trace.h"

namespace everycrash {

/// Owns the descriptors that the workload had open, as far as it wrote through them: one for each
/// opening in the trace, closed where the trace closes it, since file systems act at both. One
/// thread; sets the process's umask to 0 while it lives.
///
/// Made differently from the recorded run: writes with O_DIRECT go through the page cache, and what
/// one thread did while another was in a call comes after it.
class Replayer {
 public:
  /// DIRECTORY stands for the state directory and holds START, the tree before the workload that
  /// TRACE recorded.
  Replayer(const Trace& trace, FileSystem start, std::filesystem::path directory);
  Replayer(const Replayer&) = delete;
  Replayer& operator=(const Replayer&) = delete;
  ~Replayer();

  /// Makes OPERATION again; what failed, or changes no file, is left out. Fails with
  /// kUnavailable where the file system has no such operation, kUsage where it is full, kHarness
  /// where it refuses otherwise what was done while recording.
  Status apply(const Operation& operation);

  /// Writes back the data of a file and waits for that, without a journal commit: what the kernel
  /// does by itself after some seconds. Nothing if the file has no name and is not open.
  Status write_back(uint64_t inode);

 private:
  Status open_file(const Operation& operation);
  void hold_what_loses_its_name(const Operation& operation);
  Status write(const Operation& operation);
  Status map_write(const Operation& operation);
  Status rename(const Operation& operation);
  Status link(const Operation& operation);
  Status make(const Operation& operation);
  Status sync(const Operation& operation);
  Status attribute(const Operation& operation);
  Status change(const Operation& operation);
  /// A descriptor of the file for writing: one that is open, or a new one that stays open.
  [[nodiscard]] int descriptor(uint64_t inode);
  /// The same for reading and syncing; the caller closes it where TEMPORARY is set.
  [[nodiscard]] int borrowed(uint64_t inode, bool& temporary) const;
  [[nodiscard]] std::string path_of(uint64_t inode) const;
  void take_ownership(const Operation& operation, int file) const;

  FileSystem stage_;  // knows which inode has which path
  std::filesystem::path directory_;
  int root_;
  unsigned umask_;
  std::map<uint64_t, std::vector<int>> open_;  // by recorded inode
  std::map<uint64_t, uint64_t> last_use_;      // by inode: the last record about it
};

}  // namespace everycrash
