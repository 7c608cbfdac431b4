// What recording costs: a loop of 64-byte writes on the memory file system, and of writes with
// fdatasync on a disk; bare, recorded, and under strace -f. The loop times itself, so that starting
// a process does not count. Every iteration measures all forms one after the other, and the ratios
// (medians over the repetitions) are what counts: the machine may be busy with other things.
//
// Goals: recorded at most 8 times bare, and at most a fifth of strace; with fdatasync at most 1.1.
#include <benchmark/benchmark.h>
#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "harness/record/recorder.h"

namespace {

const char* const kLoop = EVERYCRASH_PROGRAMS "/recorded_loop";

/// A folder that is gone afterwards.
class Folder {
 public:
  explicit Folder(const std::string& parent) : path_(parent + "/recorder-bench-XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) std::abort();
    std::filesystem::create_directory(path_ + "/state");
    std::filesystem::create_directory(path_ + "/work");
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }
  [[nodiscard]] std::string state() const { return path_ + "/state"; }
  [[nodiscard]] std::string work() const { return path_ + "/work"; }

 private:
  std::string path_;
};

/// Nanoseconds a round, as the loop says.
double shell(const Folder& folder, const std::string& prefix, const std::string& arguments) {
  const std::string file = folder.work() + "/time";
  const std::string command =
      "cd " + folder.state() + " && " + prefix + " " + kLoop + " " + arguments + " 2> " + file;
  if (std::system(command.c_str()) != 0) return 0;
  double time_ns = 0;
  std::ifstream(file) >> time_ns;
  return time_ns;
}

double recorded(const Folder& folder, std::vector<std::string> arguments) {
  everycrash::RecordOptions options;
  options.state_directory = folder.state();
  // The trace lies where everycrash puts it: on the memory file system.
  const Folder work("/dev/shm");
  options.work_directory = work.work();
  options.trace_file = work.work() + "/trace";
  options.command = std::move(arguments);
  options.command.insert(options.command.begin(), kLoop);
  const auto outcome = everycrash::record(options);
  return outcome ? std::stod(outcome->stderr_tail) : 0;
}

void write_64_bytes(benchmark::State& state) {
  const Folder folder("/dev/shm");
  const std::string null = "strace -f -o /dev/null";
  for (auto _ : state) {
    const double bare = shell(folder, "", "200000");
    const double with_recorder = recorded(folder, {"200000"});
    const double with_strace = shell(folder, null, "20000");
    state.SetIterationTime(with_recorder * 1e-9);
    state.counters["bare_ns"] = bare;
    state.counters["recorded_to_bare"] = with_recorder / bare;
    state.counters["recorded_to_strace"] = with_strace > 0 ? with_recorder / with_strace : 0;
  }
}
BENCHMARK(write_64_bytes)->UseManualTime()->Iterations(1)->Repetitions(7);

void write_and_fdatasync(benchmark::State& state) {
  const Folder folder(std::filesystem::current_path().string());
  for (auto _ : state) {
    const double bare = shell(folder, "", "300 sync");
    const double with_recorder = recorded(folder, {"300", "sync"});
    state.SetIterationTime(with_recorder * 1e-9);
    state.counters["bare_ns"] = bare;
    state.counters["recorded_to_bare"] = with_recorder / bare;
  }
}
BENCHMARK(write_and_fdatasync)->UseManualTime()->Iterations(1)->Repetitions(7);

}  // namespace
