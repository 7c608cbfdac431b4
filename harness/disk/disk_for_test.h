// A disk for a test, or the reason why there is none here.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "harness/disk/disk.h"

namespace everycrash {

/// Owns a disk and its work folder. Fresh images are kept in the build folder.
class TestDisk {
 public:
  /// MODEL: another than that of the file system.
  explicit TestDisk(const std::string& file_system, uint64_t size_mb = 320,
                    const PersistenceRules* model = nullptr) {
    std::string pattern = (std::filesystem::temp_directory_path() / "everycrash-disk-XXXXXX");
    if (mkdtemp(pattern.data()) == nullptr) return;
    folder_ = pattern;
    Result<DiskFileSystem> kind = parse_disk_file_system(file_system);
    if (!kind) return;
    if (model != nullptr) kind->model = model;
    Result<std::unique_ptr<Disk>> disk = Disk::create({.file_system = *kind,
                                                       .size_mb = size_mb,
                                                       .work_directory = folder_,
                                                       .cache_directory = EVERYCRASH_TEST_CACHE});
    if (disk) {
      disk_ = std::move(*disk);
    } else {
      EXPECT_EQ(disk.error().kind, ErrorKind::kUnavailable) << disk.error().message;
      why_ = disk.error().message;
    }
  }
  TestDisk(const TestDisk&) = delete;
  TestDisk& operator=(const TestDisk&) = delete;
  ~TestDisk() {
    disk_.reset();
    std::error_code ignored;
    std::filesystem::remove(folder_, ignored);
  }

  explicit operator bool() const { return disk_ != nullptr; }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] const std::string& why() const { return why_; }
  Disk& operator*() { return *disk_; }
  Disk* operator->() { return disk_.get(); }

 private:
  std::filesystem::path folder_;
  std::unique_ptr<Disk> disk_;
  std::string why_;
};

}  // namespace everycrash
