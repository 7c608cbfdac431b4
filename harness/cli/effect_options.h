// Effects and the sink of a run, as they are asked for.
#pragma once

#include <memory>
#include <string>

#include "harness/base/error.h"
#include "harness/effects/find_effects.h"
#include "harness/effects/sink.h"
#include "harness/trace/trace.h"
#include "reports/result.h"

namespace everycrash::cli {

/// What --effect-command, --effect-dir, --effect-peer and --sink say. Errors are kUsage.
[[nodiscard]] Result<EffectRules> effect_rules(const reports::EffectJudging& effects);

/// Finds the effects of a recorded run and announces them in its trace; to be called on each trace
/// before anything else reads it. SINK is what the sink had done before that run; null = nothing.
FoundEffects mark_effects(const EffectRules& rules, Trace& trace, const SinkMemory* sink = nullptr);
/// The same for the run that was recorded first. Errors are those of effect_rules().
Result<FoundEffects> mark_effects(const reports::EffectJudging& effects, Trace& trace);

/// The sink that the workload itself talks to, on this machine's loopback.
struct HostSink {
  SinkOptions options;  ///< with the port that was taken
  std::unique_ptr<Sink> sink;
};
/// TEXT as parse_sink reads it. Errors are kUsage: it is not understood, or the port is taken.
[[nodiscard]] Result<HostSink> start_host_sink(const std::string& text);

/// "http://127.0.0.1:8025", for $EVERYCRASH_SINK.
[[nodiscard]] std::string url_of(const SinkOptions& options);

}  // namespace everycrash::cli
