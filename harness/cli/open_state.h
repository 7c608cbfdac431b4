// A crash state, open to look at.
#pragma once

#include "harness/base/error.h"
#include "harness/campaign/workspace.h"
#include "harness/cli/replayed_state.h"
#include "reports/result.h"

namespace everycrash::cli {

enum class LookWith { kShell, kDebugger };

/// Puts STATE where a person can look at it, at its recorded path if that is free, lets a shell, or
/// a debugger with the checker (the workload, if there is none), run there on this terminal, and
/// returns its exit status. Nothing of it is left, and no folder is removed that was there before.
/// Sets EVERYCRASH_DIR and the like in the environment. Fails with kHarness.
Result<int> open_state(const ReplayedState& state, const reports::ResultDocument& document,
                       LookWith with, const Workspace& workspace);

}  // namespace everycrash::cli
