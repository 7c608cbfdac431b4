#include "harness/campaign/fault_places.h"

#include <fmt/format.h>

#include <utility>

#include "harness/campaign/host_sink.h"
#include "harness/campaign/workload.h"
#include "harness/campaign/workspace.h"
#include "harness/check/oracles/exactly_once.h"
#include "harness/inject/fault_text.h"

namespace everycrash {
namespace {

/// How much of the machine a run is kept from.
enum class Isolation { kPlaceAndNetwork, kPlace, kNothing };

class PlaceMaker {
 public:
  explicit PlaceMaker(const FaultPlacesInput& input) : input_(input) {}

  /// Where the sink of the run listens, nowhere else.
  [[nodiscard]] bool needs_network() const { return input_.workload.sink != nullptr; }

  Result<std::unique_ptr<FaultedRuns>> make(size_t number, Isolation isolation) const {
    const Workload& workload = input_.workload;
    const std::filesystem::path folder = input_.workspace.path() / fmt::format("runs-{}", number);
    Result<RecordOptions> record =
        recorder_options(input_.run, workload, folder / "trace", input_.workspace, input_.stop);
    if (!record) return tl::unexpected(record.error());
    const bool placed =
        isolation != Isolation::kNothing && std::filesystem::exists(workload.state_directory);
    if (placed) record->place = workload.state_directory;
    record->own_temporary = placed;
    record->own_network = isolation == Isolation::kPlaceAndNetwork;
    const Result<FileSystem> start = FileSystem::initial(input_.trace);
    if (!start) return tl::unexpected(start.error());
    std::function<void(const SinkMemory&)> remind;
    if (workload.sink) {
      remind = [host = workload.sink](const SinkMemory& before) { host->sink->become(before); };
    }
    return input_.runs.faulted(std::move(*record), folder, *start, input_.judged_by.options.effects,
                               std::move(remind));
  }

 private:
  const FaultPlacesInput& input_;
};

/// The first isolation under which an undisturbed run succeeds, and that run.
struct Probe {
  Isolation isolation = Isolation::kPlaceAndNetwork;
  std::unique_ptr<FaultedRuns> runs;
  FaultedRun run;
  std::optional<OneFaultedRunAtATime> limitation;
};

/// True if RUN did to the outside what the recorded run did. One that does not mind whether it is
/// heard succeeds in a network of its own, too, where nobody listens.
bool reaches_the_same(const History& history, const FaultedRun& run) {
  return find_effect_faults({history.events(), run.events, ""}, Occurrence::kExactlyOnce, {})
      .empty();
}

/// Why the machine's own network is used, for a person.
std::string text_of(const OneFaultedRunAtATime& why) {
  return why.refusal.empty() ? "without it the workload fails" : why.refusal;
}

Result<Probe> probe(const PlaceMaker& maker, const std::string& plan, const History& history,
                    bool plain) {
  using Why = OneFaultedRunAtATime::Why;
  Probe found;
  OneFaultedRunAtATime why;
  for (const Isolation isolation :
       {Isolation::kPlaceAndNetwork, Isolation::kPlace, Isolation::kNothing}) {
    if (plain && isolation != Isolation::kNothing) continue;
    if (maker.needs_network() && isolation == Isolation::kPlaceAndNetwork) {
      why = {.why = Why::kSinkListens};
      continue;
    }
    Result<std::unique_ptr<FaultedRuns>> runs = maker.make(0, isolation);
    if (!runs) return tl::unexpected(runs.error());
    Result<FaultedRun> run = (*runs)->run(plan);
    if (!run && run.error().kind != ErrorKind::kUnavailable) return tl::unexpected(run.error());
    if (run && run->succeeded() && isolation == Isolation::kPlaceAndNetwork &&
        !reaches_the_same(history, *run)) {
      why = {.why = Why::kOtherEffects};
      continue;
    }
    if (run && run->succeeded()) {
      found.isolation = isolation;
      found.runs = std::move(*runs);
      found.run = std::move(*run);
      if (isolation != Isolation::kPlaceAndNetwork && !plain) found.limitation = std::move(why);
      return found;
    }
    why = run ? OneFaultedRunAtATime{.why = Why::kFails}
              : OneFaultedRunAtATime{.why = Why::kNotAllowed, .refusal = run.error().message};
  }
  return harness_error(fmt::format(
      "the workload fails when it is run once more, without any fault: {}\n"
      "Failing calls can only be tried on a workload that succeeds each time from the same start.",
      text_of(why)));
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

Result<FaultPlaces> make_fault_places(const FaultPlacesInput& input) {
  const PlaceMaker maker(input);
  FaultPlaces made;
  made.grounds.base_faults = input.run.faults;
  made.grounds.seed = input.run.seed;
  made.grounds.history = &input.judged_by.history;
  made.grounds.ignore = &input.judged_by.options.ignore;
  const Result<std::string> plan = plan_of(made.grounds.base_faults, made.grounds.seed);
  if (!plan) return tl::unexpected(plan.error());
  Result<Probe> first = probe(maker, *plan, input.judged_by.history, input.plain);
  if (!first) return tl::unexpected(first.error());
  made.limitation = first->limitation;
  made.grounds.wandering = wandering_files(input.judged_by.history, first->run);
  Status told = first->runs->tell_past(first->run.printed, first->run.events);
  if (!told) return tl::unexpected(told.error());
  const Result<FaultedRun> second = first->runs->run_on(first->run.tree, *plan, first->run.sink);
  if (!second) return tl::unexpected(second.error());
  told = first->runs->tell_past("", "");
  if (!told) return tl::unexpected(told.error());
  made.grounds.restarts = second->succeeded();
  made.places.push_back(std::move(first->runs));
  const size_t count = first->isolation == Isolation::kPlaceAndNetwork ? input.workers : 1;
  for (size_t i = 1; i < count; ++i) {
    Result<std::unique_ptr<FaultedRuns>> runs = maker.make(i, first->isolation);
    if (!runs) return tl::unexpected(runs.error());
    made.places.push_back(std::move(*runs));
  }
  for (const std::unique_ptr<FaultedRuns>& place : made.places) place->measure_by(first->run);
  return made;
}

}  // namespace everycrash
