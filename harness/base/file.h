// Whole files. Thread-safe.
#pragma once

#include <filesystem>
#include <string>

#include "harness/base/error.h"

namespace everycrash {

/// All that FILE holds. Fails with kHarness, saying which file and why, where there is none or it
/// cannot be read to its end; who can do without takes value_or("").
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& file);

}  // namespace everycrash
