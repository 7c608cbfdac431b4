// `everycrash replay`: one state of a finding, built again, judged again, and open to look at.
#include "harness/cli/replay.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "harness/base/quoting.h"
#include "harness/check/given_file.h"
#include "harness/check/materialise.h"
#include "harness/check/serial.h"
#include "harness/cli/clock_variants.h"
#include "harness/cli/commands.h"
#include "harness/cli/effect_options.h"
#include "harness/cli/judging.h"
#include "harness/cli/replay_fault.h"
#include "harness/cli/workspace.h"
#include "harness/explore/power_states.h"
#include "harness/explore/state_builder.h"
#include "reports/result_json.h"
#include "reports/text.h"

namespace everycrash::cli {
namespace {

std::filesystem::path document_file(const std::filesystem::path& given) {
  return std::filesystem::is_directory(given) ? given / "result.json" : given;
}

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

/// The state of a finding, and what had come out of the program by then.
struct ReplayedState {
  FileSystem tree;
  std::string printed;
  std::string events;
  SinkMemory sink{SinkOptions{}};  ///< what the receiver had done by then
  // Of the run that crashed last, where that is not the recorded one.
  std::optional<History> history;
  std::optional<Promises> promises;
  std::optional<FoundEffects> effects;
  size_t printed_before = 0;
};

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

/// The trace FILE of the result DOCUMENT in FOLDER, "" = that of its recorded run, of a run before
/// which the sink had done what SINK says (null: nothing).
Result<MarkedTrace> open_trace(const std::filesystem::path& folder,
                               const reports::ResultDocument& document, const std::string& file,
                               const SinkMemory* sink = nullptr) {
  const reports::TraceFile& main = document.trace;
  Result<Trace> trace = Trace::open(folder / (file.empty() ? main.file : file));
  if (!trace) return tl::unexpected(trace.error());
  if (file.empty() && trace->identity() != main.identity) {
    return harness_error(fmt::format(
        "{} is not the trace of this result\nKeep all files of a run together.", main.file));
  }
  Result<FoundEffects> effects = mark_effects(document.judging.effects, *trace, sink);
  if (!effects) return tl::unexpected(effects.error());
  return MarkedTrace{std::move(*trace), std::move(*effects)};
}

/// Goes through all crashes of a finding: each run starts on what the one before it left.
Result<ReplayedState> build_chain(const reports::ResultDocument& document,
                                  const reports::Finding& finding,
                                  const std::filesystem::path& folder) {
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
    const Result<MarkedTrace> run =
        open_trace(folder, document, earlier.trace, start.sink ? &*start.sink : nullptr);
    if (!run) return tl::unexpected(run.error());
    const Result<ReplayedState> left = build(run->trace, earlier.state);
    if (!left) return left;
    Before next{start.printed + left->printed, start.events + left->events,
                sink_memory_at(run->effects, earlier.state.record)};
    before.push_back(std::move(next));
  }
  const Before& start = start_of(finding.continues);
  Result<MarkedTrace> run =
      open_trace(folder, document, finding.trace, start.sink ? &*start.sink : nullptr);
  if (!run) return tl::unexpected(run.error());
  Result<ReplayedState> state = build(run->trace, finding.state);
  if (!state) return state;
  state->sink = sink_memory_at(run->effects, finding.state.record);
  if (finding.trace.empty()) return state;
  Result<History> history = History::of(run->trace);
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

/// Runs COMMAND in FOLDER on this terminal and waits for it.
Result<int> run_in(const std::filesystem::path& folder, const std::vector<std::string>& command) {
  const pid_t child = fork();
  if (child < 0) return system_error("cannot start a process", errno);
  if (child == 0) {
    std::vector<char*> argv;
    for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    if (chdir(folder.c_str()) == 0) execvp(argv[0], argv.data());
    fmt::print(stderr, "everycrash: cannot run {}: {}\n", command.front(), strerrordesc_np(errno));
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// The receiver of the recorded run, as it was when the crash came, for as long as it is kept; null
/// if there was none. On another port where something else has that one by now.
Result<std::unique_ptr<Sink>> open_sink(const std::string& text, const SinkMemory& memory) {
  if (text.empty()) return nullptr;
  Result<HostSink> host = start_host_sink(text);
  if (!host) {
    Result<SinkOptions> options = parse_sink(text);
    if (!options) return tl::unexpected(options.error());
    options->port = 0;
    host = start_host_sink(to_text(*options));
  }
  if (!host) return tl::unexpected(host.error());
  host->sink->become(memory);
  const std::string url = url_of(host->options);
  setenv("EVERYCRASH_SINK", url.c_str(), 1);
  fmt::print(
      "everycrash: the sink is at {} and had done {} requests; {}/everycrash/effects lists "
      "them\n",
      url, memory.lines().size(), url);
  return std::move(host->sink);
}

/// Puts the state where a person can look at it, at its recorded path if that is free, and lets a
/// shell or a debugger run there.
Result<int> open_state(const ReplayOptions& options, const reports::ResultDocument& document,
                       const ReplayedState& state, const Workspace& workspace) {
  std::filesystem::path folder = document.state_directory;
  std::error_code error;
  const bool at_recorded_path =
      !std::filesystem::exists(folder) && std::filesystem::create_directories(folder, error);
  if (!at_recorded_path) {
    folder = workspace.path() / "state";
    std::filesystem::create_directory(folder);
  }
  {
    TreeOnDisk tree(folder);
    if (Status ok = tree.become(state.tree); !ok) return tl::unexpected(ok.error());
  }
  const std::filesystem::path printed = workspace.path() / "printed";
  const std::filesystem::path effects = workspace.path() / "effects";
  Status written = write_file(printed, state.printed);
  if (written) written = write_file(effects, effect_lines(state.events));
  if (!written) return tl::unexpected(written.error());
  const auto sink = open_sink(document.judging.effects.sink, state.sink);
  if (!sink) return tl::unexpected(sink.error());
  setenv("EVERYCRASH_DIR", folder.c_str(), 1);
  setenv("EVERYCRASH_STDOUT", printed.c_str(), 1);
  setenv("EVERYCRASH_EFFECTS", effects.c_str(), 1);
  std::vector<std::string> command;
  if (options.shell) {
    const char* shell = std::getenv("SHELL");
    command = {shell != nullptr ? shell : "/bin/sh"};
    fmt::print("everycrash: the state is in {} and goes away when this shell ends\n",
               folder.string());
  } else {
    const std::string& judge = document.judging.check;
    const std::vector<std::string> debugged =
        judge.empty() ? document.workload : parse_command(judge, document.judging.base).argv;
    command = {"gdb", "--args"};
    command.insert(command.end(), debugged.begin(), debugged.end());
  }
  std::fflush(stdout);
  Result<int> status = run_in(folder, command);
  if (at_recorded_path) {
    remove_tree(folder);
    // The folder above was made for this run too, unless something else is in it.
    std::filesystem::remove(folder.parent_path(), error);
  }
  return status;
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
                                             const std::filesystem::path& folder) {
  const Result<MarkedTrace> pair = open_trace(folder, document, finding.trace);
  if (!pair) return tl::unexpected(pair.error());
  std::vector<History> histories;
  for (const std::string& file : {std::string(), finding.serial_trace, finding.trace}) {
    const Result<MarkedTrace> run = open_trace(folder, document, file);
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

}  // namespace

int print_complaints(const std::vector<Complaint>& complaints) {
  int status = 0;
  for (const Complaint& complaint : complaints) {
    const std::string where = complaint.path.empty() ? "" : " " + printable(complaint.path);
    fmt::print("{} ({}{}): {}\n", name_of(complaint.verdict), name_of(complaint.judge), where,
               fmt::join(reports::printable_lines(complaint.message), "\n  "));
    if (complaint.verdict == Verdict::kViolated) status = 1;
  }
  if (complaints.empty()) fmt::print("survived\n");
  return status;
}

Result<int> run_replay(const ReplayOptions& options) {
  const std::filesystem::path file = document_file(options.result);
  const Result<reports::ResultDocument> document = reports::read_document(file);
  if (!document) return tl::unexpected(document.error());
  const Result<const reports::Finding*> finding = find_finding(*document, options.finding);
  if (!finding) return tl::unexpected(finding.error());
  if ((*finding)->crash == "chaos") {
    return fail(ErrorKind::kUsage,
                fmt::format("{}: a round of chaos is no state that can be built again\n"
                            "Play the round again: {}",
                            (*finding)->id, printable((*finding)->reproduce)));
  }
  const Result<MarkedTrace> recorded = open_trace(file.parent_path(), *document, "");
  if (!recorded) return tl::unexpected(recorded.error());
  const Trace& trace = recorded->trace;
  Result<Workspace> workspace = Workspace::create();
  if (!workspace) return tl::unexpected(workspace.error());
  fmt::print("{}\n", printable((*finding)->title));
  if (is_about_a_fault(**finding)) {
    return replay_fault(options, *document, **finding, trace, *workspace);
  }
  const Result<ReplayedState> state = build_chain(*document, **finding, file.parent_path());
  if (!state) return tl::unexpected(state.error());
  const bool pair = (*finding)->crash == "concurrent";
  for (const reports::EarlierCrash& earlier : (*finding)->earlier) {
    fmt::print("crash at {}, then {}\n", printable(earlier.point),
               pair ? "two runners" : "recovery");
  }
  for (const std::string& line : (*finding)->schedule) {
    fmt::print("{}\n", printable(line));
  }
  if (!pair) fmt::print("crash at {}\n", printable((*finding)->point));
  if (!options.keep.empty()) {
    if (Status ok = keep_state(options.keep, *state); !ok) return tl::unexpected(ok.error());
    fmt::print("the state is in {}\n", options.keep.string());
  }
  if (options.shell || options.gdb) return open_state(options, *document, *state, *workspace);

  const Result<Panel> panel = make_panel(trace,
                                         {.judging = document->judging,
                                          .workload = document->workload,
                                          .recorded_path = document->state_directory,
                                          .check_undisturbed = false},
                                         *workspace);
  if (!panel) return tl::unexpected(panel.error());
  if ((*finding)->crash == "clock" && !(*finding)->models.empty()) {
    const ClockVariant* clock = find_clock_variant((*finding)->models.front());
    if (Status ok = set_clock(clock, *panel->judges.front()); !ok) {
      return tl::unexpected(ok.error());
    }
  }
  Result<std::vector<Complaint>> complaints =
      panel->judges.front()->judge({.tree = &state->tree,
                                    .record = (*finding)->sequence,
                                    .printed = state->printed,
                                    .events = state->events,
                                    .history = state->history ? &*state->history : nullptr,
                                    .promises = state->promises ? &*state->promises : nullptr,
                                    .effects = state->effects ? &*state->effects : nullptr,
                                    .printed_before = state->printed_before});
  if (!complaints) return tl::unexpected(complaints.error());
  if (!(*finding)->serial_trace.empty()) {
    Result<std::vector<Complaint>> faults = serial_faults(*document, **finding, file.parent_path());
    if (!faults) return tl::unexpected(faults.error());
    std::move(faults->begin(), faults->end(), std::back_inserter(*complaints));
  }
  return print_complaints(*complaints);
}

}  // namespace everycrash::cli
