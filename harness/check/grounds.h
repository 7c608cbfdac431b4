// All that judges of one trace share: what was asked for, what the recorded run was like, and which
// verdicts are given.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "harness/check/effect_counts.h"
#include "harness/check/history.h"
#include "harness/check/not_judged.h"
#include "harness/check/promises.h"
#include "harness/check/run/command.h"
#include "harness/check/verdict.h"
#include "harness/effects/find_effects.h"
#include "harness/model/difference.h"

namespace everycrash {

/// What was asked for. Commands that are empty were not given.
struct JudgeOptions {
  Command check;
  Command recover;
  Command resume;             ///< the workload
  bool resume_asked = false;  ///< resume even if a second undisturbed run changes something
  /// Beside the checker; without a checker, empty = all that apply. Temporary files that stay
  /// behind are only held against a workload where `oracles` or `resume_asked` says so.
  std::set<Judge> oracles;
  Acknowledgement acknowledgement;
  IgnoreGlobs ignore;
  int limit_ms = 10'000;  ///< of one command
  EffectRules effects;    ///< with which the trace was looked at too (announce_effects)
  Occurrence occurrence = Occurrence::kExactlyOnce;

  [[nodiscard]] bool asks_for(Judge judge) const { return oracles.contains(judge); }
};

/// Which verdicts are given.
struct Selection {
  std::set<Judge> judges;
  HabitualEffects habitual;
  /// Files that no two undisturbed runs leave alike (times, random numbers): what a resumed run
  /// writes there is not compared.
  std::set<std::string> varying;
  std::vector<NotJudged> not_judged;  ///< what does not apply and why

  [[nodiscard]] bool has(Judge judge) const { return judges.contains(judge); }
  /// The workload is run again on each state.
  [[nodiscard]] bool resumes() const {
    return has(Judge::kResume) || has(Judge::kNoLeftovers) || has(Judge::kExactlyOnce);
  }
};

/// Read-only.
struct Grounds {
  History history;
  Promises promises;
  JudgeOptions options;
  Selection selection;
  FoundEffects effects;  ///< of the recorded run, beside what it wrote to $EVERYCRASH_EVENTS
  /// The run again is watched for effects that it does not name itself.
  [[nodiscard]] bool watches() const {
    return !options.effects.empty() || !effects.effects.empty() || !effects.requests.empty();
  }
};

}  // namespace everycrash
