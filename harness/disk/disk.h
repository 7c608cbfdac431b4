// A real file system on a disk in memory, of which every state can be put back and mounted.
//
//   Disk ── mount ──▶ /dev/loopN ──▶ FUSE file ──▶ disk server (everycrash_diskd)
//
// Mounts are made in a mount namespace that only this process and its children see, and the loop
// device detaches itself; so the kernel takes all of it away when this process ends, however that
// comes. A record of it lies in the work directory all the same (disk_record.h).
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/disk/disk_client.h"
#include "harness/disk/disk_file_system.h"
#include "harness/disk/fresh_image.h"
#include "harness/disk/loop_device.h"

namespace everycrash {

struct DiskOptions {
  DiskFileSystem file_system;
  uint64_t size_mb = 320;  ///< the least that mkfs.xfs takes is 300
  std::string mkfs_arguments;
  std::filesystem::path work_directory;   ///< an existing, empty folder of this disk alone
  std::filesystem::path cache_directory;  ///< for fresh images; "" = none are kept
};

/// Says why this machine cannot make such disks (kUnavailable), or nothing. TYPE as in
/// DiskFileSystem.
[[nodiscard]] Status check_disk_available(const std::string& type);

/// Makes the parts of a disk and takes them away again, in a folder of its own in WORK_DIRECTORY:
/// what cannot be told without trying. Enters private mounts. Fails as Disk::create() does.
[[nodiscard]] Status try_disk(const std::filesystem::path& work_directory);

/// $XDG_CACHE_HOME/everycrash/disk or ~/.cache/everycrash/disk; "" where neither is known.
[[nodiscard]] std::filesystem::path default_disk_cache();

/// Gives this process mounts of its own, once: what it mounts from now on is seen by itself and its
/// children only. To be called before other threads are started.
[[nodiscard]] Status enter_private_mounts();

/// One disk with its server and loop device; unmounted in the beginning. One thread.
class Disk {
 public:
  /// Fails with kUnavailable where check_disk_available() does, kHarness if mkfs fails.
  static Result<std::unique_ptr<Disk>> create(const DiskOptions& options);
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;
  ~Disk();

  /// Mounts what the disk holds; its journal is replayed by the kernel. Fails with kHarness and the
  /// kernel's reason: of a crash state, that is a finding.
  Status mount();
  Status unmount();
  [[nodiscard]] bool mounted() const { return mounted_; }
  [[nodiscard]] const std::filesystem::path& mount_point() const { return mount_point_; }
  /// The folder on it that stands for a state directory.
  [[nodiscard]] std::filesystem::path state_directory() const { return mount_point_ / "state"; }

  [[nodiscard]] DiskClient& client() { return *client_; }
  [[nodiscard]] const DiskFileSystem& file_system() const { return options_.file_system; }
  [[nodiscard]] const std::string& device() const { return loop_->path(); }

 private:
  explicit Disk(DiskOptions options) : options_(std::move(options)) {}
  Status attach();
  Status make_file_system();
  Status wait_until_mountable();
  int try_mount();

  DiskOptions options_;
  std::filesystem::path mount_point_;
  std::unique_ptr<FreshImage> image_;
  std::unique_ptr<DiskClient> client_;
  std::unique_ptr<LoopDevice> loop_;
  bool mounted_ = false;
};

}  // namespace everycrash
