// The result document of `everycrash chaos`: its figures, and the rounds that were not good, those
// that failed alike as one finding.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/campaign/chaos_campaign.h"
#include "harness/campaign/gaps.h"
#include "harness/campaign/plan.h"
#include "harness/campaign/workload.h"
#include "harness/check/grounds.h"
#include "reports/result.h"

namespace everycrash::cli {

/// What is wrong after a round, in a line: "what is left is not good".
[[nodiscard]] std::string words_for(const ChaosFailure& failure);
/// What was said of it, by its judges or, of one that fails though it is left in peace, by itself.
[[nodiscard]] std::vector<std::string> said_of(const ChaosFailure& failure);
/// "kill(write)#3, read() error=EIO: exit status 1".
[[nodiscard]] std::string words_for(const ChaosLifeFacts& life);

/// ARGUMENTS (the program's name in front) so that only ROUND of SEED is played, as a line for a
/// shell.
[[nodiscard]] std::string command_of_round(const std::vector<std::string>& arguments, uint64_t seed,
                                           uint64_t round);

/// What the document is made from; all of it is only read.
struct ChaosDocumentInput {
  const CampaignPlan& plan;
  const Workload& workload;
  const Trace& trace;
  const Grounds& judged_by;
  const std::vector<Limitation>& limitations;
  const ChaosCounts& counts;
  const ChaosClusters& failures;
  const std::vector<std::string>& arguments;  ///< of this process
};
[[nodiscard]] reports::ResultDocument chaos_document(const ChaosDocumentInput& input);

}  // namespace everycrash::cli
