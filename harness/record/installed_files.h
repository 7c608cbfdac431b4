// Where the parts of everycrash are that run inside or beside a workload.
#pragma once

#include <filesystem>

#include "harness/base/error.h"

namespace everycrash {

/// The preload library: $EVERYCRASH_PRELOAD, else ../lib/everycrash beside the running program's
/// folder, else the build tree. Fails with kHarness if it is at none of these places.
[[nodiscard]] Result<std::filesystem::path> find_preload_library();

/// The library of faults, at the same places; $EVERYCRASH_FAULTS_PRELOAD is its variable.
[[nodiscard]] Result<std::filesystem::path> find_faults_library();

/// everycrash_contain, at the same places.
[[nodiscard]] Result<std::filesystem::path> find_container_program();

/// everycrash_diskd, at the same places; $EVERYCRASH_DISK_SERVER is its variable.
[[nodiscard]] Result<std::filesystem::path> find_disk_server();

}  // namespace everycrash
