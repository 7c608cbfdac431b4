#include "harness/cli/fault_campaign.h"

#include <fmt/format.h>

#include <utility>

#include "harness/check/oracles/exactly_once.h"
#include "harness/inject/fault_text.h"

namespace everycrash::cli {
namespace {

/// How much of the machine a run is kept from.
enum class Isolation { kPlaceAndNetwork, kPlace, kNothing };

class PlaceMaker {
 public:
  PlaceMaker(const TestOptions& options, const Workload& workload, const Trace& trace,
             const EffectRules& effects, const Workspace& workspace)
      : options_(options),
        workload_(workload),
        trace_(trace),
        effects_(effects),
        workspace_(workspace) {}

  /// Where the sink of the run listens, nowhere else.
  [[nodiscard]] bool needs_network() const { return workload_.sink != nullptr; }

  Result<std::unique_ptr<FaultedRuns>> make(size_t number, Isolation isolation) const {
    const std::filesystem::path folder = workspace_.path() / fmt::format("runs-{}", number);
    Result<::everycrash::RecordOptions> record =
        recorder_options(options_, workload_, folder / "trace", workspace_);
    if (!record) return tl::unexpected(record.error());
    const bool placed =
        isolation != Isolation::kNothing && std::filesystem::exists(workload_.state_directory);
    if (placed) record->place = workload_.state_directory;
    record->own_temporary = placed;
    record->own_network = isolation == Isolation::kPlaceAndNetwork;
    const Result<FileSystem> start = FileSystem::initial(trace_);
    if (!start) return tl::unexpected(start.error());
    std::function<void(const SinkMemory&)> remind;
    if (workload_.sink) {
      remind = [host = workload_.sink](const SinkMemory& before) { host->sink->become(before); };
    }
    return FaultedRuns::create(std::move(*record), folder, *start, effects_, std::move(remind));
  }

 private:
  const TestOptions& options_;
  const Workload& workload_;
  const Trace& trace_;
  const EffectRules& effects_;
  const Workspace& workspace_;
};

/// The first isolation under which an undisturbed run succeeds, and that run.
struct Probe {
  Isolation isolation = Isolation::kPlaceAndNetwork;
  std::unique_ptr<FaultedRuns> runs;
  FaultedRun run;
  std::string limitation;
};

/// True if RUN did to the outside what the recorded run did. One that does not mind whether it is
/// heard succeeds in a network of its own, too, where nobody listens.
bool reaches_the_same(const History& history, const FaultedRun& run) {
  return find_effect_faults({history.events(), run.events, ""}, Occurrence::kExactlyOnce, {})
      .empty();
}

Result<Probe> probe(const PlaceMaker& maker, const std::string& plan, const History& history,
                    bool plain) {
  Probe found;
  std::string why;
  for (const Isolation isolation :
       {Isolation::kPlaceAndNetwork, Isolation::kPlace, Isolation::kNothing}) {
    if (plain && isolation != Isolation::kNothing) continue;
    if (maker.needs_network() && isolation == Isolation::kPlaceAndNetwork) {
      why = "the sink listens there";
      continue;
    }
    Result<std::unique_ptr<FaultedRuns>> runs = maker.make(0, isolation);
    if (!runs) return tl::unexpected(runs.error());
    Result<FaultedRun> run = (*runs)->run(plan);
    if (!run && run.error().kind != ErrorKind::kUnavailable) return tl::unexpected(run.error());
    if (run && run->succeeded() && isolation == Isolation::kPlaceAndNetwork &&
        !reaches_the_same(history, *run)) {
      why = "without it the workload does not have the same effects";
      continue;
    }
    if (run && run->succeeded()) {
      found.isolation = isolation;
      found.runs = std::move(*runs);
      found.run = std::move(*run);
      if (isolation != Isolation::kPlaceAndNetwork && !plain) {
        found.limitation = fmt::format(
            "runs with failing calls are made one after the other, in the network of this machine "
            "({})",
            why);
      }
      return found;
    }
    why = run ? "without it the workload fails" : run.error().message;
  }
  return harness_error(fmt::format(
      "the workload fails when it is run once more, without any fault: {}\n"
      "Failing calls can only be tried on a workload that succeeds each time from the same start.",
      why));
}

std::set<std::string> wandering_files(const History& history, const FaultedRun& run) {
  std::set<std::string> files;
  for (const Difference& difference : find_differences(history.final_tree(), run.tree, {})) {
    if (difference.kind != Difference::Kind::kAttributes) files.insert(difference.path);
  }
  return files;
}

}  // namespace

void limit_restarts(const std::set<Judge>& judges, FaultGrounds& grounds) {
  grounds.has_checker = judges.contains(Judge::kChecker);
  if (grounds.has_checker || judges.contains(Judge::kResume)) grounds.restarts = false;
}

Result<FaultPlaces> make_fault_places(const TestOptions& options, const Workload& workload,
                                      const Trace& trace, const Grounds& judged_by,
                                      const Workspace& workspace, size_t workers) {
  const PlaceMaker maker(options, workload, trace, judged_by.options.effects, workspace);
  FaultPlaces made;
  made.grounds.base_faults = faults_of(options);
  made.grounds.seed = options.seed;
  made.grounds.history = &judged_by.history;
  const Result<std::string> plan = plan_of(made.grounds.base_faults, options.seed);
  if (!plan) return tl::unexpected(plan.error());
  Result<Probe> first = probe(maker, *plan, judged_by.history, options.plain);
  if (!first) return tl::unexpected(first.error());
  made.limitation = first->limitation;
  made.grounds.wandering = wandering_files(judged_by.history, first->run);
  Status told = first->runs->tell_past(first->run.printed, first->run.events);
  if (!told) return tl::unexpected(told.error());
  const Result<FaultedRun> second = first->runs->run_on(first->run.tree, *plan, first->run.sink);
  if (!second) return tl::unexpected(second.error());
  told = first->runs->tell_past("", "");
  if (!told) return tl::unexpected(told.error());
  made.grounds.restarts = second->succeeded();
  made.places.push_back(std::move(first->runs));
  const size_t count = first->isolation == Isolation::kPlaceAndNetwork ? workers : 1;
  for (size_t i = 1; i < count; ++i) {
    Result<std::unique_ptr<FaultedRuns>> runs = maker.make(i, first->isolation);
    if (!runs) return tl::unexpected(runs.error());
    made.places.push_back(std::move(*runs));
  }
  for (const std::unique_ptr<FaultedRuns>& place : made.places) place->measure_by(first->run);
  return made;
}

}  // namespace everycrash::cli
