#include "harness/inject/live_kill.h"

#include <fmt/format.h>

#include <utility>

#include "harness/inject/lost_syncs.h"
#include "harness/inject/run_place.h"
#include "harness/trace/trace.h"

namespace everycrash {
namespace {

/// A point's name as the preload library matches it: markers by their whole line.
StopPoint stop_point(const PointPattern& point) {
  constexpr std::string_view kAfter = "after:";
  constexpr std::string_view kEffect = "effect(";
  StopPoint stop{.point = point.base, .occurrence = point.occurrence, .before = point.before};
  if (point.base.starts_with(kAfter)) {
    stop.point = "step " + point.base.substr(kAfter.size());
  } else if (point.base.starts_with(kEffect)) {
    stop.point =
        "effect " + point.base.substr(kEffect.size(), point.base.size() - kEffect.size() - 1);
  }
  if (point.cut >= 0) stop.cut = static_cast<uint64_t>(point.cut);
  return stop;
}

}  // namespace

Result<KilledRun> run_to_end(const RecordOptions& options, const EffectRules& effects) {
  const Result<RecordOutcome> outcome = record(options);
  if (!outcome) return tl::unexpected(outcome.error());
  Result<Trace> trace = Trace::open(options.trace_file);
  if (!trace) return tl::unexpected(trace.error());
  announce_effects(find_effects(*trace, effects, effects.new_sink()), *trace);
  Result<FileSystem> tree = read_tree(options.state_directory);
  if (!tree) return tl::unexpected(tree.error());
  KilledRun run{.reached = outcome->reached_point, .end = outcome->end, .tree = std::move(*tree)};
  run.stderr_tail = outcome->stderr_tail;
  for (const Operation& record : trace->records()) {
    if (record.kind == Kind::kPrint) run.printed += record.payload;
    run.events += record.events;
  }
  run.lost = describe_lost_syncs(*trace);
  run.faults = trace->faults();
  return run;
}

Result<KilledRun> run_and_kill(RecordOptions options, const PointPattern& point,
                               const EffectRules& effects, Wanted wanted) {
  options.stop = stop_point(point);
  options.stop->alone = wanted == Wanted::kState && effects.empty() && options.faults.empty();
  return run_to_end(options, effects);
}

LiveStateMaker::LiveStateMaker(const Trace& trace, const KillStates& kills, RecordOptions options,
                               EffectRules effects, Wanted wanted, FileSystem start)
    : kills_(kills),
      names_(trace),
      options_(std::move(options)),
      effects_(std::move(effects)),
      wanted_(wanted),
      start_(std::move(start)),
      directory_(options_.state_directory) {}

Result<std::unique_ptr<LiveStateMaker>> LiveStateMaker::create(const Trace& trace,
                                                               const KillStates& kills,
                                                               RecordOptions options,
                                                               EffectRules effects, Wanted wanted) {
  Result<FileSystem> start = FileSystem::initial(trace);
  if (!start) return tl::unexpected(start.error());
  if (Status ok = empty_folder(options.state_directory); !ok) return tl::unexpected(ok.error());
  return std::unique_ptr<LiveStateMaker>(new LiveStateMaker(
      trace, kills, std::move(options), std::move(effects), wanted, std::move(*start)));
}

Result<StateView> LiveStateMaker::make(size_t number) {
  if (Result<bool> changed = directory_.note_changes(); !changed)
    return tl::unexpected(changed.error());
  if (Status ok = directory_.become(start_); !ok) return tl::unexpected(ok.error());
  const CrashPoint at = kills_.states()[number].point;
  if (at.record == 0) {
    run_ = {.reached = true, .tree = start_};
    return StateView{.tree = &run_.tree, .record = 0};
  }
  const std::string name = names_.live_name(at);
  const Result<PointPattern> pattern = parse_point(name);
  EVERYCRASH_ASSERT(pattern.has_value());
  Result<KilledRun> run = run_and_kill(options_, *pattern, effects_, wanted_);
  if (!run) return tl::unexpected(run.error());
  run_ = std::move(*run);
  StateView view{
      .tree = &run_.tree, .record = at.record, .printed = run_.printed, .events = run_.events};
  if (!run_.reached) {
    unavailable_ = fmt::format(
        "this run of the workload never came to {}: it does not do the same each time", name);
    view.unavailable = unavailable_;
  }
  return view;
}

}  // namespace everycrash
