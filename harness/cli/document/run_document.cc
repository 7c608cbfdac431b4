#include "harness/cli/document/run_document.h"

#include <algorithm>

#include "harness/cli/document/document_builder.h"

namespace everycrash::cli {

reports::ResultDocument make_document(const DocumentInput& input) {
  const CampaignFacts& facts = input.facts;
  DocumentBuilder builder(input.trace, input.names);
  reports::ResultDocument& document = builder.document();
  document.command = input.command;
  document.judging = input.judging;
  document.interrupted = facts.interrupted;
  builder.describe_run(input.plan, input.workload);
  builder.describe_limitations(facts.limitations);
  builder.describe_judges(input.judged_by.selection);
  builder.describe_recording();
  for (const CoverageFacts& coverage : facts.coverage) builder.add_coverage(coverage);
  for (const Gap& gap : facts.gaps) builder.add_gap(gap);
  if (facts.compared_serially) document.oracles.push_back({name_of(Judge::kSerial), true, ""});
  for (const DurabilityFacts& durability : facts.durability) builder.add_durability(durability);
  FindingWriter findings(builder.operations(), builder.stacks(), input.plan, input.kept);
  for (const FindingFacts& finding : facts.findings) {
    document.findings.push_back(findings.write(finding));
  }
  const std::vector<CrashKind>& kinds = input.plan.crash;
  if (!std::all_of(kinds.begin(), kinds.end(), is_run_anew)) {
    builder.describe_call_sites(facts.crashed);
  }
  for (const BeliedPrints& belied : facts.belied) builder.note_belied(belied);
  builder.add_notes();
  const History& history = input.judged_by.history;
  builder.add_effects(facts.effects.table(history.events(), input.judged_by.selection.habitual));
  EVERYCRASH_ASSERT(document.findings.size() == facts.findings.size());
  EVERYCRASH_ASSERT(reports::dangling_index(document).empty());
  return std::move(document);
}

}  // namespace everycrash::cli
