// How fast states of a power loss are considered. `states` is what the project promises: sets of a
// 100-unit window, by hash and lookup, at 500,000 a second on one core or more.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include "harness/explore/down_sets.h"
#include "harness/explore/power_states.h"
#include "harness/explore/seen.h"
#include "harness/explore/window.h"
#include "harness/model/floor.h"
#include "harness/model/persistence_model.h"
#include "harness/model/unit_tree.h"
#include "harness/trace/workload_text.h"

namespace everycrash {
namespace {

/// COUNT saves of FILES files in turn, synced after every EPOCH of them (0 = never).
Trace saves(int count, int files, int epoch) {
  std::vector<std::string> lines;
  for (int i = 0; i < count; ++i) {
    const std::string name = fmt::format("f{}", i % files);
    lines.insert(lines.end(),
                 {fmt::format("create t{}", name), fmt::format("write t{} 0 n*3000", name),
                  fmt::format("rename t{0} {0}", name)});
    if (epoch != 0 && (i + 1) % epoch == 0) lines.push_back("sync");
  }
  return std::move(*record_text(lines));
}

PowerOptions under(std::string_view model) {
  PowerOptions options;
  options.model = *find_model(model);
  return options;
}

double peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void report(benchmark::State& state, uint64_t considered) {
  state.counters["states"] =
      benchmark::Counter(static_cast<double>(considered), benchmark::Counter::kIsRate);
  state.counters["peak_MiB"] = peak_mib();
}

/// The undecided units of COUNT small files, four units each.
Window window_of_files(const UnitHistory& history) {
  std::vector<UnitId> units(history.units().size());
  for (UnitId i = 0; i < units.size(); ++i) units[i] = i;
  return {history, std::move(units), std::vector<bool>(history.units().size())};
}

/// A million states of a 100-unit window, one after the other, each looked up among those seen.
void consider_in_order(benchmark::State& state) {
  const Trace trace = saves(25, 25, 0);
  const UnitHistory history = *expand(trace, **find_model("posix"));
  const Window window = window_of_files(history);
  uint64_t considered = 0;
  for (auto _ : state) {
    DownSets sets(window, {});
    KeySet seen;
    for (int i = 0; i < 1'000'000 && sets.next(); ++i) {
      benchmark::DoNotOptimize(seen.insert(sets.hash()));
      ++considered;
    }
  }
  state.counters["units"] = window.size();
  report(state, considered);
}
BENCHMARK(consider_in_order)->Unit(benchmark::kMillisecond);

/// The same by whole sets, as the bounded strategies do: one unit lost, pairs.
void consider_pairs(benchmark::State& state) {
  const Trace trace = saves(25, 25, 0);
  const UnitHistory history = *expand(trace, **find_model("posix"));
  const Window window = window_of_files(history);
  uint64_t considered = 0;
  for (auto _ : state) {
    KeySet seen;
    for (uint32_t a = 0; a < window.size(); ++a) {
      Window::Kept one(window.size(), 1);
      window.lose(a, one);
      for (uint32_t b = 0; b < window.size(); ++b) {
        Window::Kept two = one;
        window.lose(b, two);
        benchmark::DoNotOptimize(seen.insert(window.hash(two)));
        ++considered;
      }
    }
  }
  state.counters["units"] = window.size();
  report(state, considered);
}
BENCHMARK(consider_pairs)->Unit(benchmark::kMillisecond);

/// A whole exploration, trees built and told apart. Ten times the operations in windows of the same
/// size should take ten times as long.
void explore_saves(benchmark::State& state) {
  const Trace trace = saves(static_cast<int>(state.range(0)), 3, 5);
  uint64_t considered = 0;
  for (auto _ : state) {
    PowerOptions options = under("posix");
    options.bounds.exhaustive_limit = 500;
    options.bounds.window_limit = 500;
    options.bounds.random_sets = 20;
    PowerExplorer explorer = *PowerExplorer::create(trace, options);
    while (explorer.next()) {
    }
    considered += explorer.coverage().considered;
    state.counters["distinct"] = static_cast<double>(explorer.coverage().distinct);
  }
  report(state, considered);
}
BENCHMARK(explore_saves)
    ->Arg(50)
    ->Arg(500)
    ->Arg(5000)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

}  // namespace
}  // namespace everycrash
