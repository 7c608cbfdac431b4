// Programs of the system that disks need.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "harness/base/error.h"

namespace everycrash {

/// Its path, also where PATH lacks the folders for administration; "" if it is not there.
[[nodiscard]] std::string find_system_program(const std::string& name);

/// Runs a program and waits for it. Fails with kHarness, and with what the program said, unless it
/// ends with 0 within LIMIT.
[[nodiscard]] Status run_program(std::vector<std::string> command, std::chrono::milliseconds limit);

}  // namespace everycrash
