// The verdict of a whole run, and the exit status for it. A pure function, thread-safe.
#pragma once

#include "reports/result.h"

namespace everycrash::cli {

/// What was asked of a run that decides about its exit status.
struct ConclusionRules {
  bool is_shard = false;    ///< one of several
  bool has_budget = false;  ///< a time was given
  bool strict = false;      ///< what was not judged is a failure
  bool require_complete = false;
  bool expects_finding = false;  ///< only a run with a finding is good
};

/// Sets outcome, reason and exit status of DOCUMENT, whose findings are waived where something
/// waives them: 1 beats 3 beats 5, an interrupt beats all.
void conclude(const ConclusionRules& rules, reports::ResultDocument& document);

}  // namespace everycrash::cli
