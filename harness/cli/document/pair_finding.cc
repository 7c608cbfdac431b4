#include "harness/cli/document/pair_finding.h"

#include <algorithm>

#include "harness/base/crash_kind.h"
#include "harness/check/exactly_once.h"
#include "harness/cli/document/pair_words.h"
#include "harness/cli/document_builder.h"
#include "harness/inject/two_runners.h"

namespace everycrash::cli {

reports::Finding pair_finding(const Trace& trace, const PairRun& run, const PairCause& cause,
                              const std::vector<Complaint>& complaints, DocumentBuilder& builder) {
  reports::Finding finding;
  finding.id = cause.id();
  const auto violated = std::find_if(
      complaints.begin(), complaints.end(),
      [](const Complaint& complaint) { return complaint.verdict == Verdict::kViolated; });
  const PointNames& names = builder.names();
  finding.title = title_of(names, cause, *violated);
  finding.judge = name_of(violated->judge);
  finding.effect_fault = effect_fault_of(*violated);
  finding.path = violated->path;
  for (const Complaint& complaint : complaints) {
    if (complaint.verdict == Verdict::kViolated) finding.complaints.push_back(complaint.message);
  }
  finding.crash = CrashKind::kConcurrent;
  finding.schedule = schedule_of(names, trace, run);
  if (!run.turns.empty()) {
    const TurnTaken& first = run.turns.front();
    finding.point = words_of(names, place_of(names, trace, first.runner, first.next_record));
  }
  finding.sequence = trace.records().size();
  finding.state.record = trace.records().size();
  if (cause.stood != 0) finding.crash_operation = builder.involve(*trace.find(cause.stood));
  if (cause.undone != 0) {
    finding.lost_operations.push_back(builder.involve(*trace.find(cause.undone)));
  }
  if (cause.undoes != 0) finding.kept_operation = builder.involve(*trace.find(cause.undoes));
  finding.first_point = finding.last_point = finding.point;
  return finding;
}

}  // namespace everycrash::cli
