// The parts of a recorded run: what recorder.cc and runner_group.cc share.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>
#include <utility>

#include "harness/base/error.h"
#include "harness/record/child_process.h"
#include "harness/record/record_options.h"
#include "harness/trace/trace_writer.h"

namespace everycrash::recording {

/// A descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Descriptor() { reset(); }
  void reset() {
    if (value_ >= 0) close(value_);
    value_ = -1;
  }
  [[nodiscard]] int get() const { return value_; }

 private:
  int value_ = -1;
};

struct Pipe {
  Descriptor read_end;
  Descriptor write_end;
};

/// Everything a run needs open. Ends of pipes that belong to the child are closed once it runs.
struct Run {
  const RecordOptions& options;
  std::filesystem::path root;
  Pipe output;
  Pipe report;
  Descriptor stdout_file;
  Descriptor stderr_file;
  Descriptor events_file;
  std::string report_text;
  RecordOutcome outcome;

  [[nodiscard]] std::filesystem::path work(const char* name) const {
    return options.work_directory / name;
  }
  /// The state directory, as the workload sees it.
  [[nodiscard]] std::filesystem::path seen_root() const {
    return options.place.empty() ? root : options.place;
  }
};

Result<Pipe> make_pipe();
Result<Descriptor> make_file(const std::filesystem::path& file);
/// Makes the pipes and files of RUN.
Status open_files(Run& run);
/// Creates the trace, with the state directory as it is now.
Result<TraceWriter> make_trace(Run& run);
/// Starts the command below the program that contains it. Ends of pipes that belong to it are
/// closed.
Result<ChildProcess> start_workload(Run& run);
/// Moves what the workload printed to its file; false at the end.
bool drain_output(Run& run);
/// Takes what the container reports; false at the end.
bool drain_report(Run& run);
/// Fills in the outcome from the report.
Status read_report(Run& run);

}  // namespace everycrash::recording
