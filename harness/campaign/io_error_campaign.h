// Exploring runs in which one call fails.
#pragma once

#include "harness/base/error.h"
#include "harness/campaign/campaign.h"

namespace everycrash {

/// Adds coverage and findings of `--crash io-error` to the facts of CAMPAIGN.
[[nodiscard]] Status explore_io_errors(Campaign& campaign);

}  // namespace everycrash
