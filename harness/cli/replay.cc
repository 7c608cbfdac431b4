// `everycrash replay`: one state of a finding, built again, judged again, and open to look at.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "harness/base/crash_kind.h"
#include "harness/base/quoting.h"
#include "harness/campaign/host_sink.h"
#include "harness/campaign/panel.h"
#include "harness/campaign/workspace.h"
#include "harness/check/oracles/serial.h"
#include "harness/check/run/materialise.h"
#include "harness/cli/commands.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/judge_plan.h"
#include "harness/cli/open_state.h"
#include "harness/cli/print_complaints.h"
#include "harness/cli/replay_fault.h"
#include "harness/cli/replayed_state.h"
#include "harness/cli/report_files.h"
#include "harness/explore/power_states.h"
#include "harness/explore/state_builder.h"
#include "harness/inject/clock_variants.h"
#include "harness/model/persistence_model.h"
#include "reports/result_json.h"

namespace everycrash::cli {
namespace {

Result<const reports::Finding*> find_finding(const reports::ResultDocument& document,
                                             const std::string& id) {
  std::vector<const reports::Finding*> matching;
  std::vector<std::string> all;
  for (const reports::Finding& finding : document.findings) {
    all.push_back(finding.id);
    if (finding.id.starts_with(id)) matching.push_back(&finding);
  }
  if (all.empty())
    return fail(ErrorKind::kUsage, "this result has no finding: there is nothing to replay");
  if (matching.size() == 1 || (id.empty() && !matching.empty())) return matching.front();
  return fail(ErrorKind::kUsage,
              fmt::format("{} finding is called '{}'\nThere are: {}",
                          matching.empty() ? "no" : "more than one", id, fmt::join(all, ", ")));
}

CrashPoint point_of(const reports::StateCoordinates& state) {
  if (!state.cut_bytes) return {state.record, -1};
  return {state.record + 1, static_cast<int64_t>(*state.cut_bytes)};
}

/// A trace with its effects marked.
struct MarkedTrace {
  Trace trace;
  FoundEffects effects;
};

Result<ReplayedState> build(const Trace& trace, const reports::StateCoordinates& where) {
  Result<StateBuilder> builder = StateBuilder::create(trace);
  if (!builder) return tl::unexpected(builder.error());
  if (Status ok = builder->move_to(point_of(where)); !ok) return tl::unexpected(ok.error());
  ReplayedState state{
      .tree = builder->tree(), .printed = builder->printed(), .events = builder->events()};
  if (where.model.empty()) return state;
  const Result<const PersistenceRules*> model = find_model(where.model);
  if (!model) return tl::unexpected(model.error());
  const Result<UnitHistory> history =
      expand(trace, **model, {.tear_bytes = static_cast<int64_t>(where.tear_bytes)});
  if (!history) return tl::unexpected(history.error());
  Result<FileSystem> tree = build_state(trace, *history, where.record,
                                        {where.lost_units.begin(), where.lost_units.end()});
  if (!tree) return tl::unexpected(tree.error());
  state.tree = std::move(*tree);
  return state;
}

/// The traces of the runs of one result.
class RunTraces {
 public:
  RunTraces(const reports::ResultDocument& document, std::filesystem::path folder,
            EffectRules rules)
      : document_(document), folder_(std::move(folder)), rules_(std::move(rules)) {}

  /// Of the recorded run. What that takes away again counts in no other run either.
  Result<MarkedTrace> open_recorded() {
    const reports::TraceFile& main = document_.trace;
    Result<MarkedTrace> recorded = open(main.file, nullptr);
    if (!recorded) return recorded;
    if (recorded->trace.identity() != main.identity) {
      return harness_error(fmt::format(
          "{} is not the trace of this result\nKeep all files of a run together.", main.file));
    }
    const Result<History> history = History::of(recorded->trace);
    if (!history) return tl::unexpected(history.error());
    rules_.temporary = history->temporary();
    return recorded;
  }

  /// The one in FILE, "" = of the recorded run, of a run before which the sink had done what SINK
  /// says (null: nothing).
  Result<MarkedTrace> open(const std::string& file, const SinkMemory* sink) const {
    Result<Trace> trace = Trace::open(folder_ / (file.empty() ? document_.trace.file : file));
    if (!trace) return tl::unexpected(trace.error());
    FoundEffects effects = mark_effects(rules_, *trace, sink);
    return MarkedTrace{std::move(*trace), std::move(effects)};
  }

  /// What the recorded run takes away again, once it has been opened.
  [[nodiscard]] const TemporaryNames& temporary() const { return rules_.temporary; }

 private:
  const reports::ResultDocument& document_;
  std::filesystem::path folder_;
  EffectRules rules_;
};

/// Goes through all crashes of a finding: each run starts on what the one before it left.
Result<ReplayedState> build_chain(const reports::ResultDocument& document,
                                  const reports::Finding& finding, const RunTraces& traces) {
  // What had come out of the program before each run. A trace may hold the runs before its own.
  struct Before {
    std::string printed;
    std::string events;
    std::optional<SinkMemory> sink;
  };
  std::vector<Before> before(1);
  const auto start_of = [&before](uint32_t continues) -> const Before& {
    return before[before.size() - 1 - std::min<size_t>(continues, before.size() - 1)];
  };
  for (const reports::EarlierCrash& earlier : finding.earlier) {
    const Before& start = start_of(earlier.continues);
    const Result<MarkedTrace> run = traces.open(earlier.trace, start.sink ? &*start.sink : nullptr);
    if (!run) return tl::unexpected(run.error());
    const Result<ReplayedState> left = build(run->trace, earlier.state);
    if (!left) return left;
    Before next{start.printed + left->printed, start.events + left->events,
                sink_memory_at(run->effects, earlier.state.record)};
    before.push_back(std::move(next));
  }
  const Before& start = start_of(finding.continues);
  Result<MarkedTrace> run = traces.open(finding.trace, start.sink ? &*start.sink : nullptr);
  if (!run) return tl::unexpected(run.error());
  Result<ReplayedState> state = build(run->trace, finding.state);
  if (!state) return state;
  state->sink = sink_memory_at(run->effects, finding.state.record);
  if (finding.trace.empty()) return state;
  Result<History> history = History::of(run->trace, traces.temporary());
  if (!history) return tl::unexpected(history.error());
  const bool own = finding.earlier.empty() || document.judging.recover.empty();
  Result<Promises> promises =
      Promises::find(*history, own ? acknowledgement_named(document.judging.acknowledgement)
                                   : Acknowledgement{Acknowledgement::What::kNothing, ""});
  if (!promises) return tl::unexpected(promises.error());
  state->history = std::move(*history);
  state->promises = std::move(*promises);
  state->effects = std::move(run->effects);
  state->printed_before = start.printed.size();
  state->printed.insert(0, start.printed);
  state->events.insert(0, start.events);
  return state;
}

Status keep_state(const std::filesystem::path& folder, const ReplayedState& state) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_empty(folder, error)) {
    return fail(
        ErrorKind::kUsage,
        fmt::format("--keep {}: not an empty folder, and none can be made there", folder.string()));
  }
  TreeOnDisk tree(folder);
  return tree.become(state.tree);
}

/// What is wrong with the end of two runners at once, against one after the other.
Result<std::vector<Complaint>> serial_faults(const reports::ResultDocument& document,
                                             const reports::Finding& finding,
                                             const RunTraces& traces) {
  const Result<MarkedTrace> pair = traces.open(finding.trace, nullptr);
  if (!pair) return tl::unexpected(pair.error());
  std::vector<History> histories;
  for (const std::string& file : {std::string(), finding.serial_trace, finding.trace}) {
    const Result<MarkedTrace> run = traces.open(file, nullptr);
    if (!run) return tl::unexpected(run.error());
    Result<History> history = History::of(run->trace);
    if (!history) return tl::unexpected(history.error());
    histories.push_back(std::move(*history));
  }
  const SerialRuns runs =
      compare_serial_runs(histories[0], histories[1], histories[1], document.judging.ignore);
  std::vector<Complaint> complaints = find_serial_faults(runs, pair->trace, histories[2]);
  // What is not the same each time was left out when the finding was made.
  std::erase_if(complaints, [&](const Complaint& complaint) {
    return complaint.judge == Judge::kSerial && complaint.path != finding.path;
  });
  return complaints;
}

/// Prints how the state of FINDING came about.
void tell_crash(const reports::Finding& finding) {
  const bool pair = finding.crash == CrashKind::kConcurrent;
  for (const reports::EarlierCrash& earlier : finding.earlier) {
    fmt::print("crash at {}, then {}\n", printable(earlier.point),
               pair ? "two runners" : "recovery");
  }
  for (const std::string& line : finding.schedule) {
    fmt::print("{}\n", printable(line));
  }
  if (!pair) fmt::print("crash at {}\n", printable(finding.point));
}

/// What is held against STATE now.
Result<std::vector<Complaint>> judge_again(const reports::ResultDocument& document,
                                           const reports::Finding& finding, const RunTraces& traces,
                                           const MarkedTrace& recorded, const ReplayedState& state,
                                           const Workspace& workspace) {
  Result<JudgeOptions> judge = judge_options_of(document.judging, document.workload);
  if (!judge) return tl::unexpected(judge.error());
  const Result<Panel> panel = make_panel(recorded.trace,
                                         {.judging = std::move(*judge),
                                          .recorded_path = document.state_directory,
                                          .check_undisturbed = false,
                                          .stop = asked_to_stop()},
                                         workspace);
  if (!panel) return tl::unexpected(panel.error());
  if (finding.crash == CrashKind::kClock && !finding.models.empty()) {
    const ClockVariant* clock = find_clock_variant(finding.models.front());
    Seat& seat = *panel->seats.front();
    const Status set =
        set_clock(clock, [&seat](auto name, auto value) { seat.set_for_commands(name, value); });
    if (!set) return tl::unexpected(set.error());
  }
  Result<std::vector<Complaint>> complaints =
      panel->seats.front()->judge({.tree = &state.tree,
                                   .record = finding.sequence,
                                   .printed = state.printed,
                                   .events = state.events,
                                   .history = state.history ? &*state.history : nullptr,
                                   .promises = state.promises ? &*state.promises : nullptr,
                                   .effects = state.effects ? &*state.effects : nullptr,
                                   .printed_before = state.printed_before});
  if (!complaints || finding.serial_trace.empty()) return complaints;
  Result<std::vector<Complaint>> faults = serial_faults(document, finding, traces);
  if (!faults) return faults;
  std::move(faults->begin(), faults->end(), std::back_inserter(*complaints));
  return complaints;
}

}  // namespace

Result<int> run_replay(const ReplayOptions& options) {
  const std::filesystem::path file = document_file(options.result);
  const Result<reports::ResultDocument> document = reports::read_document(file);
  if (!document) return tl::unexpected(document.error());
  const Result<const reports::Finding*> finding = find_finding(*document, options.finding);
  if (!finding) return tl::unexpected(finding.error());
  if ((*finding)->crash == CrashKind::kChaos) {
    return fail(ErrorKind::kUsage,
                fmt::format("{}: a round of chaos is no state that can be built again\n"
                            "Play the round again: {}",
                            (*finding)->id, printable((*finding)->reproduce)));
  }
  Result<EffectRules> rules = effect_rules(document->judging.effects);
  if (!rules) return tl::unexpected(rules.error());
  RunTraces traces(*document, file.parent_path(), std::move(*rules));
  const Result<MarkedTrace> recorded = traces.open_recorded();
  if (!recorded) return tl::unexpected(recorded.error());
  Result<Workspace> workspace = Workspace::create();
  if (!workspace) return tl::unexpected(workspace.error());
  fmt::print("{}\n", printable((*finding)->title));
  if (is_about_a_fault(**finding)) {
    return replay_fault(options, *document, **finding, recorded->trace, *workspace);
  }
  const Result<ReplayedState> state = build_chain(*document, **finding, traces);
  if (!state) return tl::unexpected(state.error());
  tell_crash(**finding);
  if (!options.keep.empty()) {
    if (Status ok = keep_state(options.keep, *state); !ok) return tl::unexpected(ok.error());
    fmt::print("the state is in {}\n", options.keep.string());
  }
  if (options.shell || options.gdb) {
    return open_state(*state, *document, options.shell ? LookWith::kShell : LookWith::kDebugger,
                      *workspace);
  }

  const Result<std::vector<Complaint>> complaints =
      judge_again(*document, **finding, traces, *recorded, *state, *workspace);
  if (!complaints) return tl::unexpected(complaints.error());
  return print_complaints(*complaints);
}

}  // namespace everycrash::cli
