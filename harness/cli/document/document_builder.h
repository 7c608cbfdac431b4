// Filling the result document from a trace and from what a campaign has found in it, a part at a
// time.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "harness/campaign/facts.h"
#include "harness/campaign/plan.h"
#include "harness/campaign/workload.h"
#include "harness/check/grounds.h"
#include "harness/cli/document/operation_writer.h"
#include "reports/result.h"

namespace everycrash::cli {

/// Owns the document while it grows. Trace and names must outlive it. Not thread-safe.
class DocumentBuilder {
 public:
  DocumentBuilder(const Trace& trace, const RunNames& names);
  DocumentBuilder(const DocumentBuilder&) = delete;
  DocumentBuilder& operator=(const DocumentBuilder&) = delete;

  /// The run itself: program, plan, machine.
  void describe_run(const CampaignPlan& plan, const Workload& workload);
  void describe_judges(const Selection& selection);
  void describe_limitations(const std::vector<Limitation>& limitations);
  /// What was recorded: counts, notes on what is not supported, the list of operations.
  void describe_recording();
  /// Which places in the program change state, and at which of them a crash was tried.
  void describe_call_sites(const std::set<uint64_t>& crashed_records);

  void add_coverage(const CoverageFacts& facts);
  void add_gap(const Gap& gap);
  /// From when on the listed operations are safe; to be called after describe_recording().
  void add_durability(const DurabilityFacts& facts);
  /// The table of effects; at most reports::kEffectsMax.
  void add_effects(const std::vector<EffectFacts>& table);
  /// Habits in the trace that are often mistakes.
  void add_notes();
  void note_belied(const BeliedPrints& belied);

  [[nodiscard]] OperationWriter& operations() { return operations_; }
  [[nodiscard]] reports::StackTable& stacks() { return stacks_; }
  [[nodiscard]] reports::ResultDocument& document() { return document_; }

 private:
  void warn_of_unmet_faults(const std::vector<std::string>& faults);

  const Trace& trace_;
  const RunNames& names_;
  reports::ResultDocument document_;
  reports::StackTable stacks_;
  OperationWriter operations_;
};

}  // namespace everycrash::cli
