// Preparing a state directory and recording a workload in it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/campaign/plan.h"
#include "harness/campaign/progress.h"
#include "harness/campaign/stop.h"
#include "harness/record/recorder.h"

namespace everycrash {

class Sink;
class Trace;
class Workspace;
struct HostSink;

/// Where a workload runs, and what it is.
struct Workload {
  std::vector<std::string> argv;  ///< with absolute program and script
  std::filesystem::path state_directory;
  bool owned = false;              ///< made for this run, inside the workspace
  std::shared_ptr<HostSink> sink;  ///< what --sink asks for; null = nothing
};

/// The last lines of what a run wrote to standard error, below a title, to stand behind a message:
/// each begins on a new line. "" if there is nothing.
[[nodiscard]] std::string last_words(const std::string& stderr_tail);

/// The sink that WORKLOAD talks to; null = none.
[[nodiscard]] Sink* host_sink_of(const Workload& workload);

/// The program of COMMAND, so that it can be executed without searching for it; as it was written
/// where there is none.
[[nodiscard]] std::string executable_of(const Command& command);

/// Makes or checks the state directory, starts the sink, and runs `init`. Fails with kUsage (no
/// workload, no such directory, the sink's port is taken) or kHarness (init failed).
[[nodiscard]] Result<Workload> prepare(const RunPlan& plan, const Workspace& workspace);

/// Runs `init` in DIRECTORY; nothing if there is none.
[[nodiscard]] Status run_init(const RunPlan& plan, const std::filesystem::path& directory);

/// Records it once. Fails with kHarness where the run cannot be the ground of a verdict: it failed,
/// did not end, left processes behind, or did something that cannot be recorded. The message says
/// what to do.
[[nodiscard]] Result<RecordOutcome> record_undisturbed(const RunPlan& plan,
                                                       const Workload& workload,
                                                       const std::filesystem::path& trace,
                                                       const Workspace& workspace, Stop stop,
                                                       Progress& progress);

/// Compares what the recorded run left in DIRECTORY with what the trace says that it left. A
/// difference is a change that no recorded call made: kHarness, since nothing could be said then.
/// Modes, owners and times are not compared: the kernel changes them by itself.
[[nodiscard]] Status check_against_disk(const Trace& trace, const std::filesystem::path& directory);

/// What record() needs to know to make a run of PLAN. Fails with kUsage for faults that are not
/// understood.
[[nodiscard]] Result<RecordOptions> recorder_options(const RunPlan& plan, const Workload& workload,
                                                     const std::filesystem::path& trace,
                                                     const Workspace& workspace, Stop stop);

/// Fails with kHarness if the trace is not whole: it ran full, or names something that could not be
/// recorded. (That io_uring was refused is a note, since the workload did without.)
[[nodiscard]] Status check_complete(const Trace& trace);

}  // namespace everycrash
