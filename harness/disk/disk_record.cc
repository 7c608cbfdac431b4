#include "harness/disk/disk_record.h"

#include <fcntl.h>
#include <linux/btrfs.h>
#include <linux/loop.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <fstream>
#include <vector>

namespace everycrash {
namespace {

constexpr const char* kName = "disk-record";

/// True if DEVICE stood on BACKING and does no more.
bool release(const std::string& device, const std::string& backing) {
  const int descriptor = open(device.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return false;
  loop_info64 info{};
  bool released = false;
  if (ioctl(descriptor, LOOP_GET_STATUS64, &info) == 0) {
    const std::string name = reinterpret_cast<const char*>(info.lo_file_name);
    const bool ours = !name.empty() && name == backing.substr(0, LO_NAME_SIZE - 1);
    if (ours) forget_btrfs_device(device);
    released = ours && ioctl(descriptor, LOOP_CLR_FD) == 0;
  }
  close(descriptor);
  return released;
}

int release_record(const std::filesystem::path& record) {
  std::ifstream in(record);
  std::string device, backing;
  if (!std::getline(in, device) || !std::getline(in, backing)) return 0;
  return release(device, backing) ? 1 : 0;
}

}  // namespace

Status write_disk_record(const std::filesystem::path& folder, const std::string& device,
                         const std::filesystem::path& backing) {
  std::ofstream out(folder / kName);
  out << device << "\n" << backing.string() << "\n";
  out.close();
  if (out) return {};
  return system_error("cannot write " + (folder / kName).string(), errno);
}

void remove_disk_record(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::filesystem::remove(folder / kName, ignored);
}

int release_recorded_disks(const std::filesystem::path& folder) {
  int released = release_record(folder / kName);
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    std::error_code unknown;
    if (it->is_directory(unknown) && !it->is_symlink(unknown)) {
      released += release_record(it->path() / kName);
    }
  }
  return released;
}

void forget_btrfs_device(const std::string& device) {
  if (device.empty()) return;
  const int control = open("/dev/btrfs-control", O_RDWR | O_CLOEXEC);
  if (control < 0) return;
  btrfs_ioctl_vol_args arguments{};
  device.copy(arguments.name, sizeof arguments.name - 1);
  static_cast<void>(ioctl(control, BTRFS_IOC_FORGET_DEV, &arguments));
  close(control);
}

}  // namespace everycrash
