// What is told of the searches for a finding on real file systems. Pure functions, thread-safe, but
// that they ask for this machine's kernel.
#pragma once

#include <string>

#include "harness/campaign/finding_facts.h"
#include "harness/campaign/plan.h"
#include "reports/result.h"

namespace everycrash::cli {

/// One search. TRACE is where the trace of the run is kept, "" = nowhere.
[[nodiscard]] reports::RealSearch search_of(const Sighting& sighting, const CampaignPlan& plan,
                                            const std::string& trace);

/// Says of FINDING, if it is one of a power failure, on which real file systems nobody looked for
/// it.
void tell_unsearched(const CampaignPlan& plan, reports::Finding& finding);

}  // namespace everycrash::cli
