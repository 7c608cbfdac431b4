// `everycrash doctor`: what this machine allows, and what to do about what it does not.
#include <fmt/format.h>
#include <sys/utsname.h>

#include "harness/base/exit_status.h"
#include "harness/campaign/workspace.h"
#include "harness/check/run/sandbox.h"
#include "harness/cli/commands.h"
#include "harness/disk/disk.h"
#include "harness/record/recorder.h"
#include "harness/trace/trace.h"

namespace everycrash::cli {
namespace {

void line(bool good, std::string_view what, std::string_view remedy) {
  fmt::print("{:<5} {}{}{}\n", good ? "ok" : "NO", what, good || remedy.empty() ? "" : ": ",
             good ? "" : remedy);
}

int not_ready(std::string_view what) {
  fmt::print("\nnot ready: {}\n", what);
  return kExitUnavailable;
}

/// Records a program that is on every machine, to see that recording works at all.
Status try_recording(const Workspace& workspace) {
  ::everycrash::RecordOptions options;
  options.command = {"/bin/sh", "-c", ": > file"};
  options.state_directory = workspace.path() / "state";
  std::filesystem::create_directory(options.state_directory);
  options.work_directory = workspace.path() / "run";
  std::filesystem::create_directory(options.work_directory);
  options.trace_file = workspace.path() / "trace";
  options.trace_capacity = 64 << 20;
  const Result<RecordOutcome> outcome = record(options);
  if (!outcome) return tl::unexpected(outcome.error());
  const Result<Trace> trace = Trace::open(options.trace_file);
  if (!trace) return tl::unexpected(trace.error());
  for (const Operation& record : trace->records()) {
    if (record.kind == Kind::kOpen && record.path == "file") return {};
  }
  return harness_error(
      "a file was made, but no system call was recorded; does a security module keep "
      "LD_PRELOAD from programs?");
}

}  // namespace

Result<int> run_doctor(bool clean) {
  if (clean) {
    const int removed = remove_abandoned_workspaces();
    fmt::print("{} work folder{} of killed runs removed\n", removed, removed == 1 ? "" : "s");
    return 0;
  }
  utsname name{};
  uname(&name);
  fmt::print("{} {} {}\n", name.sysname, name.release, name.machine);
  Result<Workspace> workspace = Workspace::create();
  line(workspace.has_value(), "a work folder", workspace ? "" : workspace.error().message);
  if (!workspace) return not_ready("a folder must be writable; see above");
  line(workspace->in_memory(), "a memory file system",
       "make /dev/shm writable; states are built on a disk otherwise");
  const Status recorded = try_recording(*workspace);
  line(recorded.has_value(), "recording system calls", recorded ? "" : recorded.error().message);

  const std::filesystem::path folder = workspace->path() / "worker";
  std::filesystem::create_directory(folder);
  Result<std::unique_ptr<Sandbox>> sandbox =
      Sandbox::start({.recorded_path = workspace->path() / "recorded", .work_directory = folder});
  if (!sandbox) {
    line(false, "running checkers", sandbox.error().message);
    return not_ready("checkers must run; see above");
  }
  const Capabilities& can = (*sandbox)->capabilities();
  line(can.pid_namespace, "PID namespaces", "what a checker leaves running is hunted for instead");
  line(can.recorded_path, "states at their recorded path",
       "absolute paths inside files may be wrong in a state");
  line(can.writes_contained, "checkers cannot write elsewhere",
       "trust your checkers, or run as root");
  line(can.temporary_layer, "a throw-away /tmp for checkers", "what they leave there stays");
  for (const char* type : {"ext4", "xfs", "btrfs"}) {
    const Status real = check_disk_available(type);
    line(real.has_value(), fmt::format("crash states of a real {}", type),
         real ? "" : real.error().message);
  }
  if (!can.explanation.empty()) fmt::print("\n{}\n", can.explanation);
  if (!recorded) return not_ready("recording must work; see above");
  const bool all = workspace->in_memory() && can.pid_namespace && can.recorded_path &&
                   can.writes_contained && can.temporary_layer;
  fmt::print("\nready{}\n", all ? "" : ", with the limits above");
  return 0;
}

}  // namespace everycrash::cli
