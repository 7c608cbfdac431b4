// Whether a program can be recorded, found out before it is started.
#pragma once

#include <filesystem>
#include <string>

#include "harness/base/error.h"

namespace everycrash {

/// Finds COMMAND as execvp would from WORKING_DIRECTORY (in PATH if it has no slash) and looks at
/// the file, through "#!" lines. Fails with kUsage if there is no such program, with kHarness
/// if it has no dynamic loader, a foreign one, is for another machine, or is set-user-ID.
[[nodiscard]] Result<std::filesystem::path> find_recordable_program(
    const std::string& command, const std::filesystem::path& working_directory);

}  // namespace everycrash
