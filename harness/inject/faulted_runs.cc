#include "harness/inject/faulted_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/inject/run_place.h"
#include "harness/trace/trace.h"

namespace everycrash {
namespace {

using std::chrono::milliseconds;

// What an honest run may need more than an undisturbed one: retries of everything, with pauses.
constexpr uint64_t kTimesTheRecords = 20;
constexpr uint64_t kMoreRecords = 2000;
constexpr int kTimesTheTime = 20;
constexpr milliseconds kShortestLimit{5'000};
constexpr int kPatience = 4;

/// In folders of its own.
class PlacedRuns final : public FaultedRuns {
 public:
  PlacedRuns(std::unique_ptr<RunPlace> place, FileSystem start, EffectRules effects,
             std::function<void(const SinkMemory&)> remind)
      : place_(std::move(place)),
        start_(std::move(start)),
        effects_(std::move(effects)),
        remind_(std::move(remind)) {}
  Result<FaultedRun> run(const std::string& plan) override;
  Result<FaultedRun> run_on(const FileSystem& tree, const std::string& plan,
                            const SinkMemory& before) override;
  [[nodiscard]] SinkMemory new_sink() const override;
  Status tell_past(std::string_view printed, std::string_view events) override {
    return place_->tell(printed, events);
  }
  void measure_by(const FaultedRun& run) override;

 private:
  Result<FaultedRun> run_once(const FileSystem& tree, const SinkMemory& before);

  std::unique_ptr<RunPlace> place_;
  FileSystem start_;
  EffectRules effects_;
  std::function<void(const SinkMemory&)> remind_;
};

void PlacedRuns::measure_by(const FaultedRun& run) {
  place_->options().records_max = kTimesTheRecords * run.records + kMoreRecords;
  place_->options().timeout = std::max<milliseconds>(kTimesTheTime * run.took, kShortestLimit);
}

Result<FaultedRun> PlacedRuns::run(const std::string& plan) {
  return run_on(start_, plan, new_sink());
}

SinkMemory PlacedRuns::new_sink() const {
  return effects_.new_sink();
}

Result<FaultedRun> PlacedRuns::run_on(const FileSystem& tree, const std::string& plan,
                                      const SinkMemory& before) {
  RecordOptions& options = place_->options();
  options.faults = plan;
  Result<FaultedRun> run = run_once(tree, before);
  const bool slow = run && !run->endless && std::holds_alternative<TimedOut>(run->end);
  if (!slow) return run;
  const milliseconds usual = options.timeout;
  options.timeout = kPatience * usual;
  run = run_once(tree, before);
  options.timeout = usual;
  if (run && std::holds_alternative<TimedOut>(run->end)) run->endless = true;
  return run;
}

Result<FaultedRun> PlacedRuns::run_once(const FileSystem& tree, const SinkMemory& before) {
  if (Status ok = place_->become(tree); !ok) return tl::unexpected(ok.error());
  RecordOptions& options = place_->options();
  options.before_start = remind_ ? [&] { remind_(before); } : std::function<void()>();
  const auto start = std::chrono::steady_clock::now();
  const Result<RecordOutcome> outcome = record(options);
  if (!outcome) return tl::unexpected(outcome.error());
  FaultedRun run{
      .killed = outcome->reached_point, .endless = outcome->overran, .end = outcome->end};
  run.stderr_tail = outcome->stderr_tail;
  run.took = std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - start);
  Result<Trace> trace = Trace::open(options.trace_file);
  if (!trace) return tl::unexpected(trace.error());
  const FoundEffects found = find_effects(*trace, effects_, before);
  announce_effects(found, *trace);
  run.sink = sink_memory_at(found, trace->records().size());
  Result<FileSystem> left = read_tree(options.state_directory);
  if (!left) return tl::unexpected(left.error());
  run.tree = std::move(*left);
  run.faults = trace->faults();
  run.records = trace->records().size();
  const auto& fired = run.faults.fired;
  run.met = std::any_of(std::begin(fired), std::end(fired), [](uint64_t n) { return n > 0; });
  for (const Operation& record : trace->records()) {
    if (record.kind == Kind::kPrint) run.printed += record.payload;
    run.events += record.events;
  }
  Result<std::optional<WithoutDropped>> without = without_dropped_data(*trace);
  if (!without) return tl::unexpected(without.error());
  run.without_dropped = std::move(*without);
  return run;
}

}  // namespace

bool FaultedRun::succeeded() const {
  const auto* exited = std::get_if<Exited>(&end);
  return !endless && exited != nullptr && exited->code == 0;
}

Result<std::unique_ptr<FaultedRuns>> FaultedRuns::create(
    RecordOptions options, const std::filesystem::path& folder, const FileSystem& start,
    EffectRules effects, std::function<void(const SinkMemory&)> remind) {
  options.state_directory = folder / "state";
  options.work_directory = folder / "run";
  options.trace_file = folder / "trace";
  std::error_code error;
  std::filesystem::create_directories(options.state_directory, error);
  if (!error) std::filesystem::create_directories(options.work_directory, error);
  if (error) {
    return harness_error(fmt::format("cannot make {}: {}", folder.string(), error.message()));
  }
  Result<std::unique_ptr<RunPlace>> place = RunPlace::create(std::move(options), folder);
  if (!place) return tl::unexpected(place.error());
  return std::make_unique<PlacedRuns>(std::move(*place), start, std::move(effects),
                                      std::move(remind));
}

}  // namespace everycrash
