// Which contents a disk with a volatile cache may have when the power fails.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "harness/disk/disk_image.h"

namespace everycrash {

/// One content: some of the requests of a log.
struct CrashImage {
  std::vector<uint8_t> kept;  ///< a Kept for each request of the log, as DiskImage::become() takes
  /// The power failed before the request with that number came to the disk: what it can have lost
  /// is what was written since the flush before.
  uint64_t before = 0;
};

struct CrashImageOptions {
  bool lost_flushes = false;  ///< the disk answers flushes without doing them
  uint32_t random = 4;        ///< random losses in each stretch
  uint64_t seed = 1;
  size_t images_max = 400;  ///< in all; prefixes come first
};

/// The contents that LOG allows: every prefix; and within each stretch between two flushes one
/// request lost, one kept, random ones, and one half done. The same arguments give the same images
/// in the same order; some may be equal on disk.
[[nodiscard]] std::vector<CrashImage> crash_images(const std::vector<DiskRequest>& log,
                                                   const CrashImageOptions& options);

}  // namespace everycrash
