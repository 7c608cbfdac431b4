// everycrash.toml: what `everycrash test` does in a project when nothing else is said.
//
//   workload = ["build/app", "--once"]   # or "build/app --once"
//   init = "tests/prepare"
//   check = "tests/check"
//   crash = ["kill"]
//
// Keys are the long options, without dashes in front. Relative commands start at the file's folder.
#pragma once

#include <string>

#include "harness/cli/options.h"

namespace everycrash::cli {

/// Fills OPTIONS from FILE ("" = everycrash.toml here or in a folder above; "none" = nothing).
/// Without a file: nothing, unless FILE named one. Errors are kUsage and name file, line and key.
[[nodiscard]] Status read_config(const std::string& file, TestOptions& options);

}  // namespace everycrash::cli
