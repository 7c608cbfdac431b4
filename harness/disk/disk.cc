#include "harness/disk/disk.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <thread>

#include "harness/disk/disk_record.h"
#include "harness/disk/programs.h"

namespace everycrash {
namespace {

constexpr std::chrono::milliseconds kMkfsLimit{60'000};
// Reading a state should not write to it; all else as by default.
constexpr unsigned long kMountFlags = MS_NOATIME | MS_NODEV | MS_NOSUID;
// The kernel takes a killed run's mounts down a moment after the run itself.
constexpr std::chrono::milliseconds kOthersLeaveLimit{10'000};
constexpr std::chrono::milliseconds kLookAgain{20};

bool kernel_knows(const std::string& type) {
  std::ifstream known("/proc/filesystems");
  for (std::string line; std::getline(known, line);) {
    if (line == "\t" + type) return true;
  }
  return false;
}

}  // namespace

Status check_disk_available(const std::string& type) {
  std::vector<std::string> missing;
  if (geteuid() != 0) missing.emplace_back("it needs root, to mount");
  if (access("/dev/fuse", R_OK | W_OK) != 0) missing.emplace_back("/dev/fuse cannot be used");
  if (access("/dev/loop-control", R_OK | W_OK) != 0) {
    missing.emplace_back("/dev/loop-control cannot be used");
  }
  const std::string maker = "mkfs." + type;
  if (find_system_program(maker).empty()) {
    missing.push_back(fmt::format("{} is not installed ({})", maker,
                                  type == "ext4"  ? "e2fsprogs"
                                  : type == "xfs" ? "xfsprogs"
                                                  : "btrfs-progs"));
  }
  // A kernel loads a file system's module when it is asked to mount one, where it has the module.
  if (!kernel_knows(type) && access("/lib/modules", R_OK) != 0) {
    missing.push_back(fmt::format("this kernel has no {}", type));
  }
  if (missing.empty()) return {};
  return fail(ErrorKind::kUnavailable,
              fmt::format("crash states of a real {} cannot be made here: {}", type,
                          fmt::join(missing, "; ")));
}

std::filesystem::path default_disk_cache() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return std::filesystem::path(cache) / "everycrash/disk";
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home == '/') {
    return std::filesystem::path(home) / ".cache/everycrash/disk";
  }
  return {};
}

Status enter_private_mounts() {
  static bool entered = false;
  if (entered) return {};
  if (unshare(CLONE_NEWNS) != 0 ||
      ::mount(nullptr, "/", nullptr, MS_REC | MS_SLAVE, nullptr) != 0) {
    return fail(ErrorKind::kUnavailable,
                fmt::format("cannot make mounts of its own: {}\nIn a container, it needs the "
                            "capability SYS_ADMIN.",
                            strerrordesc_np(errno)));
  }
  entered = true;
  return {};
}

Status try_disk(const std::filesystem::path& work_directory) {
  constexpr uint64_t kTrialBytes = 1 << 20;
  if (Status ok = enter_private_mounts(); !ok) return ok;
  const std::filesystem::path backing = work_directory / "disk-trial";
  std::error_code error;
  std::filesystem::create_directory(backing, error);
  if (error) return harness_error("cannot make a folder for a disk: " + error.message());
  Status tried;
  {
    const Result<std::unique_ptr<DiskClient>> client = DiskClient::start(backing, kTrialBytes);
    if (!client) tried = tl::unexpected(client.error());
    if (client) {
      const Result<LoopDevice> loop = LoopDevice::attach(backing / "disk");
      if (!loop) tried = tl::unexpected(loop.error());
    }
  }
  std::filesystem::remove(backing, error);
  return tried;
}

Result<std::unique_ptr<Disk>> Disk::create(const DiskOptions& options) {
  if (Status ok = check_disk_available(options.file_system.type); !ok) {
    return tl::unexpected(ok.error());
  }
  if (Status ok = enter_private_mounts(); !ok) return tl::unexpected(ok.error());
  std::unique_ptr<Disk> disk(new Disk(options));
  if (Status ok = disk->attach(); !ok) return tl::unexpected(ok.error());
  if (Status ok = disk->make_file_system(); !ok) return tl::unexpected(ok.error());
  return disk;
}

Status Disk::attach() {
  mount_point_ = options_.work_directory / "mount";
  const std::filesystem::path backing = options_.work_directory / "backing";
  std::error_code error;
  std::filesystem::create_directory(mount_point_, error);
  if (!error) std::filesystem::create_directory(backing, error);
  if (error) return harness_error("cannot make folders for a disk: " + error.message());
  Result<std::unique_ptr<DiskClient>> client = DiskClient::start(backing, options_.size_mb << 20);
  if (!client) return tl::unexpected(client.error());
  client_ = std::move(*client);
  Result<LoopDevice> loop = LoopDevice::attach(backing / "disk");
  if (!loop) return tl::unexpected(loop.error());
  loop_ = std::make_unique<LoopDevice>(std::move(*loop));
  return write_disk_record(options_.work_directory, loop_->path(), backing / "disk");
}

/// Loads a fresh image, or makes one; with the folder for the state directory on it.
Status Disk::make_file_system() {
  std::string identity = options_.file_system.type + " " + options_.mkfs_arguments;
  Result<std::unique_ptr<FreshImage>> image = FreshImage::take(
      options_.cache_directory, options_.file_system.type, options_.size_mb, identity);
  if (!image) return tl::unexpected(image.error());
  image_ = std::move(*image);
  if (options_.file_system.type == "btrfs") {
    for (const std::string& device : {image_->last_device(), loop_->path()}) {
      forget_btrfs_device(device);
    }
  }
  image_->note_device(loop_->path());
  if (image_->exists() && client_->load(image_->path())) return wait_until_mountable();

  const std::vector<std::string> command =
      mkfs_command(options_.file_system, options_.mkfs_arguments, loop_->path());
  if (Status ok = run_program(command, kMkfsLimit); !ok) return ok;
  if (Status ok = loop_->forget_cache(); !ok) return ok;
  if (Status ok = mount(); !ok) return ok;
  std::error_code error;
  std::filesystem::create_directory(state_directory(), error);
  if (error) return harness_error("cannot use the new file system: " + error.message());
  if (Status ok = unmount(); !ok) return ok;
  if (Status ok = client_->make_fresh(); !ok) return ok;
  image_->keep([this](const std::filesystem::path& file) { return client_->save(file); });
  return {};
}

/// A new file system can always be mounted, unless a disk of a killed run that had the same
/// identity is not quite gone.
Status Disk::wait_until_mountable() {
  const auto deadline = std::chrono::steady_clock::now() + kOthersLeaveLimit;
  for (;;) {
    Status mounted = mount();
    if (mounted) return unmount();
    if (std::chrono::steady_clock::now() > deadline) {
      return harness_error(
          fmt::format("a new file system cannot be mounted: {}\n"
                      "If mount options were given, see whether the kernel knows them; else remove "
                      "{} and try again.",
                      mounted.error().message, image_->path().string()));
    }
    std::this_thread::sleep_for(kLookAgain);
  }
}

Disk::~Disk() {
  if (mounted_) static_cast<void>(umount2(mount_point_.c_str(), MNT_DETACH));
  const std::string device = loop_ ? loop_->path() : "";
  if (!device.empty() && options_.file_system.type == "btrfs") forget_btrfs_device(device);
  loop_.reset();
  client_.reset();
  std::error_code ignored;
  std::filesystem::remove(mount_point_, ignored);
  std::filesystem::remove(options_.work_directory / "backing", ignored);
  remove_disk_record(options_.work_directory);
}

/// 0 or an errno.
int Disk::try_mount() {
  // Another program that looked at the device may have left old pages in its cache.
  static_cast<void>(loop_->forget_cache());
  const DiskFileSystem& kind = options_.file_system;
  std::string data = kind.mount_options;
  // A kept image may be looked at while a disk with the same new file system is in use (xfs(5)).
  if (kind.type == "xfs") data += data.empty() ? "nouuid" : ",nouuid";
  const int result = ::mount(loop_->path().c_str(), mount_point_.c_str(), kind.type.c_str(),
                             kMountFlags, data.c_str());
  return result == 0 ? 0 : errno;
}

Status Disk::mount() {
  EVERYCRASH_ASSERT(!mounted_);
  const int error = try_mount();
  mounted_ = error == 0;
  if (mounted_) return {};
  static_cast<void>(loop_->forget_cache());
  if (const auto served = client_->log_position(); !served) return tl::unexpected(served.error());
  return system_error(fmt::format("the kernel does not mount this {}", options_.file_system.name()),
                      error);
}

Status Disk::unmount() {
  EVERYCRASH_ASSERT(mounted_);
  if (umount2(mount_point_.c_str(), 0) != 0) {
    return system_error("cannot unmount " + mount_point_.string(), errno);
  }
  mounted_ = false;
  if (Status ok = loop_->wait_until_free(); !ok) return ok;
  return loop_->forget_cache();
}

}  // namespace everycrash
