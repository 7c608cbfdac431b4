// The explorations of the crash kinds, but for those that run the program anew (again_campaign.h,
// concurrent_campaign.h). Each adds coverage and findings to the document of its campaign.
#pragma once

#include <string>

#include "harness/base/error.h"
#include "harness/cli/campaign.h"

namespace everycrash::cli {

/// Adds coverage and findings of `--crash kill` to the document.
[[nodiscard]] Status explore_kill(Campaign& campaign);

/// The same of `--crash clock`: the states of a killed process, each judged by clocks that are off.
[[nodiscard]] Status explore_clock(Campaign& campaign);

/// The same of `--crash io-error`.
[[nodiscard]] Status explore_io_errors(Campaign& campaign);

/// The same of `--crash power` and `--crash lost-fsync` under one model.
[[nodiscard]] Status explore_power(Campaign& campaign, CrashKind crash, const std::string& model);

/// The same on a real file system, after all models.
[[nodiscard]] Status explore_real(Campaign& campaign, CrashKind crash,
                                  const std::string& file_system);

}  // namespace everycrash::cli
