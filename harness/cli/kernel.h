// The kernel that this run is under.
#pragma once

#include <string>

namespace everycrash::cli {

/// "Linux 6.1.0-18-amd64".
[[nodiscard]] std::string kernel_name();

}  // namespace everycrash::cli
