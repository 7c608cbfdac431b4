// From what was typed to what a campaign is to do.
#pragma once

#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/campaign/plan.h"
#include "harness/cli/options/options.h"

namespace everycrash::cli {

/// The faults that every run is to meet: those of --lose-fsync, then those of --fault.
[[nodiscard]] std::vector<std::string> faults_of(const TestOptions& options);

/// How the workload of OPTIONS is run. Fails with kUsage.
[[nodiscard]] Result<RunPlan> run_plan_of(const TestOptions& options);

/// All that OPTIONS ask of a campaign. Fails with kUsage.
[[nodiscard]] Result<CampaignPlan> campaign_plan_of(const TestOptions& options);

}  // namespace everycrash::cli
