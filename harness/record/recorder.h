// Running a workload under the preload library: from a command to a trace.
#pragma once

#include "harness/base/error.h"
#include "harness/record/record_options.h"

namespace everycrash {

/// Runs the command to its end, its time limit or its stop point, and seals the trace. When it
/// returns, nothing that the workload started is still running. Fails with kUsage or kHarness
/// (see find_recordable_program) before anything ran; with kHarness if the machine refuses, with
/// kUnavailable if that is for lack of the namespaces that `place` and `own_network` need. That
/// the workload failed, or that the trace names something unsupported, is no error here.
[[nodiscard]] Result<RecordOutcome> record(const RecordOptions& options);

}  // namespace everycrash
