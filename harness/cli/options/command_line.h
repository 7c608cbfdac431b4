// The command line, understood.
#pragma once

#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/cli/options/invocation.h"

namespace everycrash::cli {

/// Understands ARGUMENTS (without the program's name). Errors are kUsage and name the nearest
/// option.
[[nodiscard]] Result<Invocation> parse_arguments(std::vector<std::string> arguments);

}  // namespace everycrash::cli
