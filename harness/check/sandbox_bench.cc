// What a state costs beyond starting its checker.
#include <benchmark/benchmark.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <type_traits>

#include "harness/check/judge.h"
#include "harness/check/run/materialise.h"
#include "harness/check/run/sandbox.h"

namespace everycrash {
namespace {

constexpr int kLimitMs = 10'000;
constexpr const char* kChecker = "/bin/true";

/// The value of RESULT, which must be one.
template <typename T>
T must(Result<T> result) {
  if (!result) {
    std::fprintf(stderr, "%s\n", result.error().message.c_str());
    std::abort();
  }
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

void expect(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

class Place {
 public:
  Place() {
    std::string pattern = "/dev/shm/everycrash-bench-XXXXXX";
    base_ = mkdtemp(pattern.data());
    std::filesystem::create_directory(base_ / "state");
  }
  ~Place() { std::filesystem::remove_all(base_); }
  [[nodiscard]] std::unique_ptr<Sandbox> sandbox(bool plain) const {
    return must(Sandbox::start({base_ / "state", base_ / "worker", plain}));
  }

 private:
  std::filesystem::path base_;
};

/// A state with FILES files, of which CHANGING's content depends on its argument.
FileSystem small_state(int files, char changing) {
  FileSystem tree;
  for (int i = 0; i < files; ++i) {
    Attributes attributes;
    attributes.mode = S_IFREG | 0644;
    const NodeId file = tree.create(attributes);
    tree.write(file, 0, std::string(1000, i == 0 ? changing : 'x'));
    tree.set_entry(kRootNode, tree.name_id("file" + std::to_string(i)), file);
  }
  return tree;
}

void bare_spawn(benchmark::State& state) {
  char* arguments[] = {const_cast<char*>(kChecker), nullptr};
  for (auto _ : state) {
    pid_t process = 0;
    if (posix_spawn(&process, kChecker, nullptr, nullptr, arguments, environ) != 0) std::abort();
    waitpid(process, nullptr, 0);
  }
}
BENCHMARK(bare_spawn)->UseRealTime();

void sandbox_run(benchmark::State& state) {
  const Place place;
  const std::unique_ptr<Sandbox> sandbox = place.sandbox(state.range(0) != 0);
  Command command = make_command({kChecker}, "/");
  command.own_proc = state.range(1) != 0;
  for (auto _ : state) {
    const CommandRun run = must(sandbox->run(command, kLimitMs));
    expect(run.ending.succeeded(), describe(run.ending).c_str());
  }
}
BENCHMARK(sandbox_run)
    ->ArgNames({"plain", "proc"})
    ->Args({0, 0})
    ->Args({0, 1})
    ->Args({1, 0})
    ->UseRealTime();

void become_and_note(benchmark::State& state) {
  const Place place;
  const std::unique_ptr<Sandbox> sandbox = place.sandbox(true);
  TreeOnDisk disk(sandbox->tree());
  const auto files = static_cast<int>(state.range(0));
  const FileSystem trees[] = {small_state(files, 'a'), small_state(files, 'b')};
  size_t turn = 0;
  for (auto _ : state) {
    must(disk.become(trees[++turn % 2]));
    expect(!must(disk.note_changes()), "something changed the tree");
  }
}
BENCHMARK(become_and_note)->ArgName("files")->Arg(1)->Arg(10)->Arg(100)->Arg(1000);

/// All that one state costs with a C checker.
void judge_state(benchmark::State& state) {
  const Place place;
  Grounds grounds;
  grounds.options.check = make_command({kChecker}, "/");
  grounds.selection.judges = {Judge::kChecker};
  StateJudge judge(place.sandbox(false), grounds);
  const FileSystem trees[] = {small_state(10, 'a'), small_state(10, 'b')};
  size_t turn = 0;
  for (auto _ : state) {
    const std::vector<Complaint> complaints = must(judge.judge({.tree = &trees[++turn % 2]}));
    expect(complaints.empty(), complaints.empty() ? "" : complaints[0].message.c_str());
  }
}
BENCHMARK(judge_state)->UseRealTime();

}  // namespace
}  // namespace everycrash
