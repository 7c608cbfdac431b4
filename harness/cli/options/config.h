// everycrash.toml: what `everycrash test` does in a project when nothing else is said.
//
//   workload = ["build/app", "--once"]   # or "build/app --once"
//   init = "tests/prepare"
//   check = "tests/check"
//   crash = ["kill"]
//
// Keys are the long options, without dashes in front. Relative commands start at the file's folder.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cli/options/options.h"

namespace everycrash::cli {

/// Fills OPTIONS from FILE ("" = everycrash.toml here or in a folder above; "none" = nothing).
/// Without a file: nothing, unless FILE named one. Errors are kUsage and name file, line and key.
[[nodiscard]] Status read_config(const std::string& file, TestOptions& options);

/// Every key that a file may have, in order.
[[nodiscard]] std::vector<std::string> config_keys();

/// An option of `everycrash test` that a file cannot give.
struct KeptOut {
  std::string_view name;  ///< without dashes
  std::string_view why;
};
[[nodiscard]] std::span<const KeptOut> options_kept_out();

}  // namespace everycrash::cli
