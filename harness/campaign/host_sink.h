// The receiver that a workload talks to, and the effects of a run.
#pragma once

#include <memory>
#include <string>

#include "harness/base/error.h"
#include "harness/effects/find_effects.h"
#include "harness/effects/sink.h"
#include "harness/trace/trace.h"

namespace everycrash {

/// Finds the effects of a recorded run and announces them in its trace; to be called on each trace
/// before anything else reads it. SINK is what the sink had done before that run; null = nothing.
FoundEffects mark_effects(const EffectRules& rules, Trace& trace, const SinkMemory* sink = nullptr);

/// The sink that the workload itself talks to, on this machine's loopback.
struct HostSink {
  SinkOptions options;  ///< with the port that was taken
  std::unique_ptr<Sink> sink;
};
/// Errors are kUsage: the port is taken.
[[nodiscard]] Result<HostSink> start_host_sink(SinkOptions options);

/// "http://127.0.0.1:8025", for $EVERYCRASH_SINK.
[[nodiscard]] std::string url_of(const SinkOptions& options);

}  // namespace everycrash
