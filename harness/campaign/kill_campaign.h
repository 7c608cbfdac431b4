// Exploring the states of a killed process, by the real clock and by clocks that are off.
#pragma once

#include "harness/base/error.h"
#include "harness/campaign/campaign.h"

namespace everycrash {

/// Adds coverage and findings of `--crash kill` to the facts of CAMPAIGN.
[[nodiscard]] Status explore_kill(Campaign& campaign);

/// The same of `--crash clock`: the states of a killed process, each judged by clocks that are off.
[[nodiscard]] Status explore_clock(Campaign& campaign);

}  // namespace everycrash
