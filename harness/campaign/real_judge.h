// The user's commands on a mounted crash state, in place.
#pragma once

#include <vector>

#include "harness/base/error.h"
#include "harness/campaign/campaign.h"
#include "harness/check/examination.h"
#include "harness/check/verdict.h"
#include "harness/disk/disk.h"

namespace everycrash {

/// Runs recovery and checker in the state directory of a mounted DISK, in a sandbox that ends with
/// the call. Oracles are not asked: they look at trees. STATE tells what had been printed by then.
[[nodiscard]] Result<std::vector<Complaint>> judge_in_place(const Campaign& campaign, Disk& disk,
                                                            const StateView& state);

}  // namespace everycrash
