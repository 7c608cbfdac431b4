#include "harness/disk/background.h"

#include <fcntl.h>
#include <linux/btrfs.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>

namespace everycrash {
namespace {

std::filesystem::path file_on(const Disk& disk) {
  return disk.mount_point() / "another-program";
}

}  // namespace

Status Background::prepare(const Disk& disk) {
  const int file = open(file_on(disk).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return system_error("cannot make " + file_on(disk).string(), errno);
  close(file);
  return {};
}

Background::Background(const Disk& disk, Replayer& replayer)
    : disk_(disk),
      replayer_(replayer),
      file_(open(file_on(disk).c_str(), O_WRONLY | O_APPEND | O_CLOEXEC)) {}

Background::~Background() {
  if (file_ >= 0) close(file_);
}

Status Background::commit() {
  if (write(file_, "x", 1) == 1 && fsync(file_) == 0) return {};
  return system_error("cannot sync a file of its own", errno);
}

/// What btrfs does every half minute: a transaction, without data that waits for its place.
Status Background::commit_transaction() {
  if (disk_.file_system().type != "btrfs") return commit();
  uint64_t transaction = 0;
  if (ioctl(file_, BTRFS_IOC_START_SYNC, &transaction) == 0 &&
      ioctl(file_, BTRFS_IOC_WAIT_SYNC, &transaction) == 0) {
    return {};
  }
  return system_error("btrfs does not commit", errno);
}

Status Background::make(const BackgroundEvent& event) {
  switch (event.what) {
    case BackgroundEvent::What::kWriteBack:
      return replayer_.write_back(event.inode);
    case BackgroundEvent::What::kCommit:
      return commit();
    case BackgroundEvent::What::kTransaction:
      return commit_transaction();
    case BackgroundEvent::What::kEverything:
      break;
  }
  if (syncfs(file_) == 0) return {};
  return system_error("cannot sync a disk", errno);
}

}  // namespace everycrash
