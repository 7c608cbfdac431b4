#include "harness/record/recorder_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <sstream>
#include <vector>

#include "harness/record/installed_files.h"

namespace everycrash::recording {

namespace {

namespace fs = std::filesystem;

constexpr uint32_t kStops = 1;  // format::StopPlan::action
constexpr uint32_t kStopsAlone = 3;
constexpr int kPipeSize = 1 << 20;

Result<FileIdentity> identity_of(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) return system_error("fstat", errno);
  return FileIdentity{status.st_dev, status.st_ino};
}

Status set_plan(const StopPoint& stop, format::StopPlan& plan) {
  if (stop.point.size() >= sizeof plan.point) {
    return fail(ErrorKind::kUsage, "the name of the crash point is too long");
  }
  std::memcpy(plan.point, stop.point.data(), stop.point.size());
  plan.occurrence = stop.occurrence;
  plan.cut = stop.cut.value_or(~uint64_t{0});
  plan.before = stop.before ? 1 : 0;
  plan.action = stop.alone ? kStopsAlone : kStops;
  return {};
}

Status add_faults(const std::string& plan, ChildOptions& child) {
  child.unset.emplace_back("EVERYCRASH_FAULTS");  // of a run around this one
  if (plan.empty()) return {};
  const Result<fs::path> library = find_faults_library();
  if (!library) return tl::unexpected(library.error());
  child.environment["EVERYCRASH_FAULTS"] = plan;
  child.environment["EVERYCRASH_FAULTS_PRELOAD"] = library->string();
  return {};
}

bool is_within(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

/// Those in which nothing lies that the run shares with this process.
std::vector<std::string> own_temporary_folders(const Run& run) {
  std::vector<std::string> folders;
  for (const char* folder : {"/tmp", "/var/tmp"}) {
    std::error_code error;
    const bool shared = is_within(fs::absolute(run.options.trace_file), folder) ||
                        is_within(fs::absolute(run.work("events")), folder) ||
                        is_within(folder, run.options.place) ||
                        run.options.faults.find(std::string("fifo=") + folder) != std::string::npos;
    if (!shared && fs::is_directory(folder, error)) folders.emplace_back(folder);
  }
  return folders;
}

// Moves what is there; false at the end.
template <typename Take>
bool drain(const Descriptor& from, Take take) {
  char bytes[65536];
  for (;;) {
    const ssize_t size = read(from.get(), bytes, sizeof bytes);
    if (size == 0) return false;
    if (size < 0) return errno == EAGAIN || errno == EINTR;
    take(bytes, static_cast<size_t>(size));
  }
}

}  // namespace

Result<Pipe> make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return system_error("cannot make a pipe", errno);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  fcntl(ends[0], F_SETPIPE_SZ, kPipeSize);
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

Result<Descriptor> make_file(const fs::path& file) {
  const int descriptor = open(file.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return system_error(fmt::format("cannot create {}", file.string()), errno);
  return Descriptor(descriptor);
}

Status open_files(Run& run) {
  Result<Pipe> output = make_pipe();
  Result<Pipe> report = make_pipe();
  Result<Descriptor> stdout_file = make_file(run.work("stdout"));
  Result<Descriptor> stderr_file = make_file(run.work("stderr"));
  Result<Descriptor> events_file = make_file(run.work("events"));
  if (!output) return tl::unexpected(output.error());
  if (!report) return tl::unexpected(report.error());
  if (!stdout_file) return tl::unexpected(stdout_file.error());
  if (!stderr_file) return tl::unexpected(stderr_file.error());
  if (!events_file) return tl::unexpected(events_file.error());
  run.output = std::move(*output);
  run.report = std::move(*report);
  run.stdout_file = std::move(*stdout_file);
  run.stderr_file = std::move(*stderr_file);
  run.events_file = std::move(*events_file);
  run.outcome.stdout_file = run.work("stdout");
  run.outcome.stderr_file = run.work("stderr");
  return {};
}

Result<TraceWriter> make_trace(Run& run) {
  struct stat status {};
  if (stat(run.root.c_str(), &status) != 0) return system_error(run.root.string(), errno);
  Result<TraceWriter> trace =
      TraceWriter::create(run.options.trace_file, run.options.trace_capacity,
                          run.seen_root().string(), FileIdentity{status.st_dev, status.st_ino});
  if (!trace) return trace;
  // A workload may give up its user id, and must still be able to open the trace after an exec.
  if (chmod(run.options.trace_file.c_str(), 0666) != 0) return system_error("chmod", errno);
  if (Status ok = trace->append_initial_tree(run.root); !ok) return tl::unexpected(ok.error());
  const Result<FileIdentity> output = identity_of(run.output.write_end.get());
  const Result<FileIdentity> events = identity_of(run.events_file.get());
  if (!output) return tl::unexpected(output.error());
  if (!events) return tl::unexpected(events.error());
  format::FileHeader& header = trace->header();
  header.stdout_device = output->device;
  header.stdout_inode = output->inode;
  header.events_device = events->device;
  header.events_inode = events->inode;
  if (run.options.stop) {
    if (Status ok = set_plan(*run.options.stop, header.plan); !ok) {
      return tl::unexpected(ok.error());
    }
  }
  return trace;
}

Result<ChildProcess> start_workload(Run& run) {
  const Result<fs::path> library = find_preload_library();
  const Result<fs::path> contain = find_container_program();
  if (!library) return tl::unexpected(library.error());
  if (!contain) return tl::unexpected(contain.error());
  ChildOptions child;
  child.command = {contain->string(), std::to_string(run.options.grace.count())};
  if (!run.options.place.empty()) {
    child.command.insert(child.command.end(), {"--place", run.root, run.options.place});
    if (run.options.own_temporary) {
      for (const std::string& folder : own_temporary_folders(run)) {
        child.command.insert(child.command.end(), {"--own-temporary", folder});
      }
    }
  }
  if (run.options.own_network) child.command.emplace_back("--own-network");
  child.command.insert(child.command.end(), run.options.command.begin(), run.options.command.end());
  child.working_directory = run.root;
  child.environment = run.options.environment;
  child.environment["EVERYCRASH_PRELOAD"] = library->string();
  child.environment["EVERYCRASH_TRACE"] = fs::absolute(run.options.trace_file).string();
  child.environment["EVERYCRASH_EVENTS"] = fs::absolute(run.work("events")).string();
  child.environment["EVERYCRASH_DIR"] = run.seen_root().string();
  child.environment["PWD"] = run.seen_root().string();
  if (Status ok = add_faults(run.options.faults, child); !ok) return tl::unexpected(ok.error());
  child.standard_output = run.output.write_end.get();
  child.standard_error = run.stderr_file.get();
  child.extra = run.report.write_end.get();
  Result<ChildProcess> started = ChildProcess::start(child);
  run.output.write_end.reset();
  run.report.write_end.reset();
  return started;
}

bool drain_output(Run& run) {
  return drain(run.output.read_end, [&](const char* bytes, size_t size) {
    while (size > 0) {
      const ssize_t written = write(run.stdout_file.get(), bytes, size);
      if (written <= 0) return;  // the trace has it all the same
      bytes += written;
      size -= static_cast<size_t>(written);
    }
  });
}

bool drain_report(Run& run) {
  return drain(run.report.read_end,
               [&](const char* bytes, size_t size) { run.report_text.append(bytes, size); });
}

Status read_report(Run& run) {
  std::istringstream lines(run.report_text);
  std::string word;
  int value = 0;
  if (run.outcome.reached_point) run.outcome.end = Signaled{SIGKILL};
  while (lines >> word) {
    if (word == "done" || !(lines >> value)) continue;
    if (word == "failed") {
      return fail(ErrorKind::kUsage,
                  fmt::format("cannot start {}: {}", run.options.command[0], std::strerror(value)));
    }
    if (word == "refused") {
      return fail(ErrorKind::kUnavailable,
                  fmt::format("no namespaces for the workload: {}", std::strerror(value)));
    }
    if (word == "exited") run.outcome.end = Exited{value};
    if (word == "signaled") run.outcome.end = Signaled{value};
    if (word == "leftover") run.outcome.leftover_processes = value;
  }
  return {};
}

}  // namespace everycrash::recording
