// One exploration on several machines: what a shard says about itself, and what a merge takes up.
#pragma once

#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/campaign/plan.h"
#include "harness/cli/options/options.h"
#include "reports/result.h"

namespace everycrash::cli {

/// "2/3", or "" for a run that is the whole.
[[nodiscard]] std::string shard_text(const Shard& shard);

/// Bounds that shards of one run have in common; and back into the options of the whole run.
[[nodiscard]] reports::Bounds bounds_of(const TestOptions& options);
void apply_bounds(const reports::Bounds& bounds, TestOptions& options);

/// Tells a test runner that splits its tests (TEST_SHARD_STATUS_FILE, as Bazel sets it) that the
/// split is understood. Fails with kHarness where its file cannot be made.
[[nodiscard]] Status announce_sharding();

/// ARGUMENTS, with the program's name in front, as a line for a shell, without options that change
/// no result (where it goes, how it looks, how many work at it) and without --shard, which the
/// document names by itself. So runs with one result have one command.
[[nodiscard]] std::string repeatable_command(const std::vector<std::string>& arguments);

/// The arguments of this process, its name in front.
[[nodiscard]] std::vector<std::string> own_arguments();

}  // namespace everycrash::cli
