#include "harness/disk/loop_device.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <linux/loop.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

namespace everycrash {
namespace {

constexpr int kAttempts = 64;  // others take free devices too
constexpr std::chrono::milliseconds kBusyLimit{10'000};
constexpr std::chrono::milliseconds kLookAgain{1};

tl::unexpected<Error> unavailable(const std::string& what) {
  return fail(ErrorKind::kUnavailable, fmt::format("{}: {}", what, strerrordesc_np(errno)));
}

/// The device NUMBER over FILE, or -1 with errno.
int configure(int number, int file, const std::string& name) {
  const std::string path = fmt::format("/dev/loop{}", number);
  const int device = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (device < 0) return -1;
  loop_config config{};
  config.fd = static_cast<uint32_t>(file);
  config.info.lo_flags = LO_FLAGS_AUTOCLEAR | LO_FLAGS_DIRECT_IO;
  name.copy(reinterpret_cast<char*>(config.info.lo_file_name), LO_NAME_SIZE - 1);
  // The lock keeps device managers from probing it (systemd, "block device locking").
  if (ioctl(device, LOOP_CONFIGURE, &config) == 0) {
    static_cast<void>(flock(device, LOCK_EX | LOCK_NB));
    return device;
  }
  const int error = errno;
  close(device);
  errno = error;
  return -1;
}

}  // namespace

Result<LoopDevice> LoopDevice::attach(const std::filesystem::path& file) {
  const int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
  if (control < 0) return unavailable("there are no loop devices (/dev/loop-control)");
  const int backing = open(file.c_str(), O_RDWR | O_DIRECT | O_CLOEXEC);
  if (backing < 0) {
    close(control);
    return unavailable("cannot open the disk in memory");
  }
  int device = -1;
  int number = -1;
  for (int i = 0; i < kAttempts && device < 0; ++i) {
    number = ioctl(control, LOOP_CTL_GET_FREE);
    if (number < 0) break;
    device = configure(number, backing, file.string());
    if (device < 0 && errno != EBUSY) break;
  }
  const int error = errno;
  close(backing);
  close(control);
  errno = error;
  if (device < 0) return unavailable("cannot take a loop device");
  return LoopDevice(fmt::format("/dev/loop{}", number), device);
}

LoopDevice::LoopDevice(LoopDevice&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

LoopDevice::~LoopDevice() {
  if (descriptor_ >= 0) close(descriptor_);
}

/// A mount holds its device exclusively (open(2), O_EXCL). It outlives umount(2) while another
/// mount namespace has a copy of it.
Status LoopDevice::wait_until_free() const {
  const auto deadline = std::chrono::steady_clock::now() + kBusyLimit;
  for (;;) {
    const int alone = open(path_.c_str(), O_RDONLY | O_EXCL | O_CLOEXEC);
    if (alone >= 0) {
      close(alone);
      return {};
    }
    if (errno != EBUSY || std::chrono::steady_clock::now() > deadline) {
      return system_error(path_ + " is still mounted somewhere", errno);
    }
    std::this_thread::sleep_for(kLookAgain);
  }
}

Status LoopDevice::forget_cache() {
  if (ioctl(descriptor_, BLKFLSBUF) == 0) return {};
  return system_error("cannot empty the cache of " + path_, errno);
}

}  // namespace everycrash
