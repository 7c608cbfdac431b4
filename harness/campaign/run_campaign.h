// The whole campaign: every crash kind that was asked for, one after the other.
#pragma once

#include "harness/base/error.h"
#include "harness/campaign/campaign.h"

namespace everycrash {

/// What a campaign has found, and which error came on the way that leaves it all valid: a real file
/// system could not be explored, after the models were.
struct CampaignResult {
  CampaignFacts facts;
  Verdicts verdicts;  ///< of this shard, for a merge
  Status deferred;
};

/// Explores all that the plan of INPUT asks for. Each part may use its share of the time that is
/// left: what one does not need goes to the others. Errors are those that leave nothing to report:
/// a checker fails without a crash, the machine refuses.
[[nodiscard]] Result<CampaignResult> run_campaign(const CampaignInput& input);

/// Fails with kNothing where no state of TRACE can differ from another.
[[nodiscard]] Status check_changes(const Trace& trace, const Workload& workload);

}  // namespace everycrash
