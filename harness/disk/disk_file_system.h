// Which file system a disk carries: `ext4`, `xfs`, `btrfs`, with mount options:
// `ext4:data=journal`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.h"
#include "harness/model/persistence_model.h"

namespace everycrash {

/// A value.
struct DiskFileSystem {
  std::string type;           ///< ext4, xfs or btrfs
  std::string mount_options;  ///< as for mount -o, "" = the default
  /// The model that describes it, or nullptr where there is none (data=journal, say).
  const PersistenceRules* model = nullptr;

  [[nodiscard]] std::string name() const;  ///< "ext4:noauto_da_alloc"
};

/// "xfs", "ext4:noauto_da_alloc,commit=1"; also the names of models ("ext4-noauto_da_alloc").
/// kUsage, with the choices, for other types.
[[nodiscard]] Result<DiskFileSystem> parse_disk_file_system(std::string_view text);

/// The command that makes it on DEVICE. EXTRA are further arguments, split at blanks.
[[nodiscard]] std::vector<std::string> mkfs_command(const DiskFileSystem& file_system,
                                                    const std::string& extra,
                                                    const std::string& device);

}  // namespace everycrash
