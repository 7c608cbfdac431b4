// How states are judged: as it was asked for, as a result document keeps it, and as the judges take
// it.
#pragma once

#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/campaign/workload.h"
#include "harness/check/grounds.h"
#include "harness/cli/options/options.h"
#include "reports/result.h"

namespace everycrash::cli {

/// What --ack TEXT says.
[[nodiscard]] Acknowledgement acknowledgement_named(const std::string& text);

/// What OPTIONS say about judging. Fails with kUsage.
[[nodiscard]] Result<reports::Judging> judging_of(const TestOptions& options,
                                                  const Workload& workload);

/// The same for the judges; WORKLOAD is what is run again. Fails with kUsage.
[[nodiscard]] Result<JudgeOptions> judge_options_of(const reports::Judging& judging,
                                                    const std::vector<std::string>& workload);

/// What --effect-command, --effect-dir, --effect-peer and --sink say. Errors are kUsage.
[[nodiscard]] Result<EffectRules> effect_rules(const reports::EffectJudging& effects);

/// Finds the effects of the run that was recorded first and announces them in its trace, before
/// anything else reads it. Errors are those of effect_rules().
Result<FoundEffects> mark_effects_of(const reports::EffectJudging& effects, Trace& trace);

}  // namespace everycrash::cli
