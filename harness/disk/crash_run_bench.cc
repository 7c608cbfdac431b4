// What a crash state costs on a real file system, against mounting a clean one. For each file
// system and size two benchmarks, to be run in turns (--benchmark_enable_random_interleaving):
//   clean/ext4/320   bare mount(2) and umount(2) of a new file system
//   state/ext4/320   a crash state put back, mounted, its tree read, unmounted
// Needs root and /dev/fuse; reports an error where there is none.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sys/mount.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/disk/crash_run.h"
#include "harness/trace/workload_text.h"

namespace everycrash {
namespace {

const std::vector<std::string> kScript = {
    "initial F \"x\"", "initial f o*5000", "create t",       "write t 0 n*5000",
    "close t",         "rename t f",       "append F \"y\"", "fsync F",
};

/// A disk with the states of one run on it; made when it is first asked for.
class Bench {
 public:
  Bench(std::string file_system, uint64_t size_mb)
      : file_system_(std::move(file_system)), size_mb_(size_mb) {}
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;
  ~Bench() {
    run_.reset();
    disk_.reset();
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }

  /// "" or why there is none.
  const std::string& prepare() {
    if (!prepared_) why_ = make();
    prepared_ = true;
    return why_;
  }
  Disk& disk() { return *disk_; }
  CrashRun& run() { return *run_; }

 private:
  std::string make() {
    const Result<DiskFileSystem> kind = parse_disk_file_system(file_system_);
    if (!kind) return kind.error().message;
    std::string pattern = std::filesystem::temp_directory_path() / "everycrash-bench-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) return "cannot make a folder";
    folder_ = pattern;
    Result<std::unique_ptr<Disk>> disk =
        Disk::create({.file_system = *kind, .size_mb = size_mb_, .work_directory = folder_});
    if (!disk) return disk.error().message;
    disk_ = std::move(*disk);
    Result<Trace> trace = record_text(kScript);
    if (!trace) return trace.error().message;
    trace_.emplace(std::move(*trace));
    Result<CrashRun> run = CrashRun::replay(*disk_, *trace_, {}, {});
    if (!run) return run.error().message;
    run_.emplace(std::move(*run));
    return "";
  }

  std::string file_system_;
  uint64_t size_mb_;
  std::filesystem::path folder_;
  bool prepared_ = false;
  std::string why_;
  std::unique_ptr<Disk> disk_;
  std::optional<Trace> trace_;
  std::optional<CrashRun> run_;
};

void mount_clean(benchmark::State& state, Bench& bench) {
  if (!bench.prepare().empty()) return state.SkipWithError(bench.prepare().c_str());
  Disk& disk = bench.disk();
  if (const auto put = disk.client().become({}); !put) return state.SkipWithError("no disk");
  // Twice, so that it is clean: the first mount of what was put back may write.
  for (int i = 0; i < 2; ++i) {
    if (!disk.mount() || !disk.unmount()) return state.SkipWithError("cannot mount");
  }
  const char* options = disk.file_system().type == "xfs" ? "nouuid" : nullptr;
  for (auto _ : state) {
    const bool mounted = mount(disk.device().c_str(), disk.mount_point().c_str(),
                               disk.file_system().type.c_str(), 0, options) == 0;
    if (!mounted || umount2(disk.mount_point().c_str(), 0) != 0) {
      return state.SkipWithError("cannot mount");
    }
  }
}

void look_at_states(benchmark::State& state, Bench& bench) {
  if (!bench.prepare().empty()) return state.SkipWithError(bench.prepare().c_str());
  const std::vector<RealState>& states = bench.run().states();
  size_t next = 0;
  for (auto _ : state) {
    const Result<RealTree> real = bench.run().look(states[next++ % states.size()]);
    if (!real || !real->tree) return state.SkipWithError("cannot look at a state");
  }
}

}  // namespace
}  // namespace everycrash

int main(int count, char** arguments) {
  benchmark::Initialize(&count, arguments);
  std::vector<std::unique_ptr<everycrash::Bench>> benches;
  const std::pair<std::string, uint64_t> disks[] = {
      {"ext4", 320}, {"ext4", 1024}, {"xfs", 320}, {"btrfs", 320}};
  for (const auto& [name, size_mb] : disks) {
    everycrash::Bench& bench =
        *benches.emplace_back(std::make_unique<everycrash::Bench>(name, size_mb));
    const std::string suffix = fmt::format("{}/{}", name, size_mb);
    benchmark::RegisterBenchmark(
        ("clean/" + suffix).c_str(),
        [&bench](benchmark::State& state) { everycrash::mount_clean(state, bench); })
        ->Iterations(5)
        ->UseRealTime();
    benchmark::RegisterBenchmark(
        ("state/" + suffix).c_str(),
        [&bench](benchmark::State& state) { everycrash::look_at_states(state, bench); })
        ->Iterations(5)
        ->UseRealTime();
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
