#include "harness/campaign/facts.h"

#include <algorithm>

#include "harness/base/error.h"
#include "harness/trace/trace.h"

namespace everycrash {
namespace {

void assert_sound(const CoverageFacts& row) {
  EVERYCRASH_ASSERT(row.checked == row.survived + row.violated + row.not_measured);
  EVERYCRASH_ASSERT(!row.exhaustive || row.skipped_by_budget == 0);
  // A real file system that could not even be made has looked at nothing.
  EVERYCRASH_ASSERT(row.exhaustive || !row.bounds.empty() || row.considered == 0);
}

/// RECORD is one of RUN, or 0: before all of it.
void assert_within(uint64_t record, const RunReference& run, const Trace& recorded) {
  const Trace& trace = run.trace != nullptr ? *run.trace : recorded;
  EVERYCRASH_ASSERT(record <= trace.records().size());
}

void assert_sound(const FindingFacts& finding, const Trace& recorded) {
  EVERYCRASH_ASSERT(!finding.id.empty());
  EVERYCRASH_ASSERT(!finding.complaints.empty());
  EVERYCRASH_ASSERT(finding.states > 0);
  EVERYCRASH_ASSERT(std::is_sorted(finding.state.lost.begin(), finding.state.lost.end()));
  assert_within(finding.state.record, finding.run, recorded);
  for (const EarlierCrashFacts& earlier : finding.earlier) {
    assert_within(earlier.state.record, earlier.run, recorded);
  }
}

}  // namespace

void assert_sound(const CampaignFacts& facts, const Trace& recorded) {
  const size_t records = recorded.records().size();
  for (const CoverageFacts& row : facts.coverage) assert_sound(row);
  for (const FindingFacts& finding : facts.findings) assert_sound(finding, recorded);
  for (const DurabilityFacts& durability : facts.durability) {
    EVERYCRASH_ASSERT(durability.since.size() == records);
  }
  EVERYCRASH_ASSERT(facts.crashed.empty() || *facts.crashed.rbegin() <= records);
}

}  // namespace everycrash
