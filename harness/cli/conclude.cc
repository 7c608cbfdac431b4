#include "harness/cli/conclude.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "harness/base/exit_status.h"

namespace everycrash::cli {
namespace {

/// What all rows of the coverage say together.
struct Totals {
  uint64_t survived = 0;
  uint64_t checked = 0;
  uint64_t unjudged = 0;
  uint64_t skipped = 0;
  bool complete = true;
  std::string untouched;  ///< what was asked for and not looked at, for a person
};

Totals totals_of(const reports::ResultDocument& document) {
  Totals totals;
  for (const reports::Coverage& row : document.coverage) {
    totals.survived += row.survived;
    totals.checked += row.checked;
    totals.unjudged += row.not_measured;
    totals.skipped += row.skipped_by_budget;
    totals.complete = totals.complete && row.exhaustive;
    if (row.survived + row.violated == 0 && !row.exhaustive) {
      totals.untouched += fmt::format("{}{} {}", totals.untouched.empty() ? "" : ", ",
                                      name_of(row.crash), row.model);
    }
  }
  return totals;
}

/// True if only lost syncs were explored, and there are none.
bool no_sync_is_lost(const reports::ResultDocument& document) {
  return std::all_of(document.coverage.begin(), document.coverage.end(), [](const auto& row) {
    return row.crash == CrashKind::kLostFsync && row.considered == 0;
  });
}

void settle(reports::ResultDocument& document, reports::Outcome outcome, int exit_code,
            std::string reason = "") {
  document.outcome = outcome;
  document.exit_code = exit_code;
  document.reason = std::move(reason);
}

}  // namespace

void conclude(const ConclusionRules& rules, reports::ResultDocument& document) {
  using reports::Outcome;
  const Totals totals = totals_of(document);
  if (reports::count_failing(document) > 0) {
    settle(document, Outcome::kViolated, kExitFinding);
  } else if (rules.is_shard && totals.checked == 0 && !rules.has_budget) {
    settle(document, Outcome::kNothing, kExitGood, "no crash state belongs to this shard");
  } else if (totals.survived == 0 && document.findings.empty()) {
    settle(document, Outcome::kNotMeasured, kExitNoVerdict,
           no_sync_is_lost(document)
               ? "the workload makes no sync that could be lost; --crash power shows "
                 "what it loses without"
               : "not one crash state could be judged");
  } else if (!totals.untouched.empty() && !rules.is_shard) {
    settle(document, Outcome::kNotMeasured, kExitNoVerdict,
           fmt::format("no crash state was judged for {}{}", totals.untouched,
                       totals.skipped > 0 ? "; allow more time (--budget)" : ""));
  } else if (rules.strict && totals.unjudged + totals.skipped > 0) {
    settle(document, Outcome::kNotMeasured, kExitFinding,
           "--strict: some crash states were not judged");
  } else if (rules.require_complete && (!totals.complete || totals.unjudged > 0)) {
    settle(document, Outcome::kSurvived, kExitIncomplete,
           "--require-complete: not everything was covered");
  } else {
    settle(document, Outcome::kSurvived, kExitGood);
  }
  if (document.outcome == Outcome::kSurvived && !document.findings.empty())
    document.outcome = Outcome::kViolated;  // known, or of a kind that is only reported
  if (rules.expects_finding)
    document.exit_code = document.findings.empty() ? kExitNoVerdict : kExitGood;
  if (document.interrupted) document.exit_code = kExitInterrupted;
}

}  // namespace everycrash::cli
