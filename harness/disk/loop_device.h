// A loop device over one file.
#pragma once

#include <filesystem>
#include <string>

#include "harness/base/error.h"

namespace everycrash {

/// Owns a loop device that the kernel detaches by itself once nobody holds it open: neither this
/// object nor a mount. So it is gone however this process ends.
class LoopDevice {
 public:
  /// Takes a free device. FILE is read and written without the page cache. Fails with kUnavailable
  /// where there are no loop devices.
  static Result<LoopDevice> attach(const std::filesystem::path& file);
  LoopDevice(LoopDevice&& other) noexcept;
  LoopDevice& operator=(LoopDevice&&) = delete;
  ~LoopDevice();

  [[nodiscard]] const std::string& path() const { return path_; }  ///< "/dev/loop3"
  /// Forgets what the kernel has read of it. Nothing may be mounted from it.
  Status forget_cache();
  /// Waits until no file system holds it; what is on it may then be changed. Fails with kHarness
  /// after some seconds.
  Status wait_until_free() const;

 private:
  LoopDevice(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

  std::string path_;
  int descriptor_;
};

}  // namespace everycrash
