// The findings of a campaign, as the result document tells them.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "harness/campaign/facts.h"
#include "harness/campaign/plan.h"
#include "harness/cli/document/evidence_writer.h"
#include "harness/cli/document/operation_writer.h"
#include "reports/result.h"

namespace everycrash::cli {

/// Where a result is kept, for the commands that look at it again.
struct KeptResult {
  std::string document;  ///< "" = nowhere
  std::string trace;
};

/// Writes findings into one document. Refers to all that it is given. For one thread.
class FindingWriter {
 public:
  /// RECORDED writes the operations of the recorded run.
  FindingWriter(OperationWriter& recorded, reports::StackTable& stacks, const CampaignPlan& plan,
                KeptResult kept);
  ~FindingWriter();
  FindingWriter(const FindingWriter&) = delete;
  FindingWriter& operator=(const FindingWriter&) = delete;

  [[nodiscard]] reports::Finding write(const FindingFacts& facts);

 private:
  struct LaterRun;
  OperationWriter& writer_for(const RunReference& run);
  void write_cause(const KillFacts& kill, const FindingFacts& facts, OperationWriter& run,
                   reports::Finding& finding) const;
  void write_cause(const PowerFacts& power, const FindingFacts& facts, OperationWriter& run,
                   reports::Finding& finding) const;
  void write_cause(const FaultCluster& cluster, const FindingFacts& facts, OperationWriter& run,
                   reports::Finding& finding) const;
  void write_cause(const PairFacts& pair, const FindingFacts& facts, OperationWriter& run,
                   reports::Finding& finding) const;
  void write_cause(const RealFacts& real, const FindingFacts& facts, OperationWriter& run,
                   reports::Finding& finding) const;
  [[nodiscard]] reports::EarlierCrash write(const EarlierCrashFacts& facts);

  OperationWriter& recorded_;
  reports::StackTable& stacks_;
  const CampaignPlan& plan_;
  KeptResult kept_;
  EvidenceWriter evidence_;
  std::map<const Trace*, std::unique_ptr<LaterRun>> later_;
};

}  // namespace everycrash::cli
