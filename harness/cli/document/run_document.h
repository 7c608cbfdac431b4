// The whole result document of a campaign.
#pragma once

#include <string>

#include "harness/campaign/facts.h"
#include "harness/campaign/plan.h"
#include "harness/campaign/workload.h"
#include "harness/check/grounds.h"
#include "harness/cli/document/findings.h"
#include "harness/explain/run_names.h"
#include "reports/result.h"

namespace everycrash::cli {

/// What a document is made from; all of it is only read.
struct DocumentInput {
  const CampaignPlan& plan;
  const Workload& workload;
  const Trace& trace;
  const RunNames& names;  ///< of `trace`
  const Grounds& judged_by;
  const CampaignFacts& facts;
  reports::Judging judging;  ///< as it was asked for
  std::string command;       ///< repeats the run, quoted for a shell
  KeptResult kept;
};

/// Without what is decided of the run as a whole: its outcome and exit status.
[[nodiscard]] reports::ResultDocument make_document(const DocumentInput& input);

}  // namespace everycrash::cli
