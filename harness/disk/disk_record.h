// What a disk took from the machine, written down so that a later run can give back what a killed
// one could not.
#pragma once

#include <filesystem>
#include <string>

#include "harness/base/error.h"

namespace everycrash {

/// Notes in FOLDER that DEVICE was attached to BACKING.
[[nodiscard]] Status write_disk_record(const std::filesystem::path& folder,
                                       const std::string& device,
                                       const std::filesystem::path& backing);
void remove_disk_record(const std::filesystem::path& folder);

/// Detaches the loop devices that records in FOLDER, or in folders directly in it, name; only where
/// the device still stands on the file that the record names. To be called for the work folder of a
/// run that is over. Returns how many there were.
int release_recorded_disks(const std::filesystem::path& folder);

/// Lets btrfs forget a device that it has seen and that is not mounted. Else it holds the next disk
/// with an older copy of the same file system for a stranger. Nothing happens where it knows none.
void forget_btrfs_device(const std::string& device);

}  // namespace everycrash
