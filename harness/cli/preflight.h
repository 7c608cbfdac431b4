// What can be told to be wrong with options before anything has run.
#pragma once

#include "harness/base/error.h"
#include "harness/cli/options/options.h"

namespace everycrash::cli {

/// True if a crash kind is asked for that starts the program again, so that no trace is enough.
[[nodiscard]] bool runs_anew(const TestOptions& options);

/// Fails with kUsage if OPTIONS name a crash kind or a persistence model that there is not, or a
/// result document in a folder where it cannot be made. Changes nothing.
[[nodiscard]] Status check_values(const TestOptions& options);

}  // namespace everycrash::cli
