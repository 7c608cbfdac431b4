// `everycrash scenario run --all --matrix`: each cell is an `everycrash test` of its own, so that
// one that breaks is a cell without a verdict and not the end of the matrix.
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <list>
#include <optional>
#include <thread>

#include "harness/base/exit_status.h"
#include "harness/base/quoting.h"
#include "harness/campaign/workspace.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/options/command_line.h"
#include "harness/cli/options/command_table.h"
#include "harness/cli/options/nearest.h"
#include "harness/cli/preflight.h"
#include "harness/cli/scenarios/matrix.h"
#include "harness/record/child_process.h"
#include "reports/result_json.h"
#include "reports/terminal.h"
#include "reports/text.h"

namespace everycrash::cli {
namespace {

constexpr std::chrono::seconds kEndLimit(20);

/// A cell that is to be run, or runs.
struct CellRun {
  size_t row = 0;
  size_t column = 0;
  std::vector<std::string> command;
  std::vector<std::string> models;  ///< of the expectation; empty = any
  std::filesystem::path folder;
  bool goes_on = false;     ///< behind the finding at which the run before it ended
  std::list<CellRun> next;  ///< further trials; of a mistake, only as long as it is not found
  std::optional<ChildProcess> process;
};

std::vector<std::string> test_command(const ScenarioOptions& options, const Scenario& scenario,
                                      const MatrixRow& row, const MatrixColumn& column,
                                      const Trial& trial, bool fail_fast,
                                      const std::filesystem::path& json) {
  std::vector<std::string> more = options.quick ? scenario.quick : std::vector<std::string>{};
  more.insert(more.end(), trial.more.begin(), trial.more.end());
  if (!row.name.empty()) more.insert(more.end(), {scenario.break_option, row.name});
  std::vector<std::string> check = scenario.check;
  check.insert(check.end(), more.begin(), more.end());
  const std::vector<std::string>& kind = trial.options.empty() ? column.options : trial.options;
  std::vector<std::string> command = {"/proc/self/exe",
                                      "test",
                                      "--quiet",
                                      "--jobs",
                                      "1",
                                      "--json",
                                      json.string(),
                                      "--seed",
                                      std::to_string(options.common.seed),
                                      "--check",
                                      shell_quote(check)};
  if (fail_fast) command.emplace_back("--fail-fast");
  if (options.common.plain) command.emplace_back("--no-namespaces");
  if (!trial.init.empty()) command.insert(command.end(), {"--init", shell_quote(trial.init)});
  command.insert(command.end(), kind.begin(), kind.end());
  if (!row.name.empty()) {
    command.insert(command.end(), column.of_mistakes.begin(), column.of_mistakes.end());
  }
  command.emplace_back("--");
  command.insert(command.end(), scenario.workload.begin(), scenario.workload.end());
  command.insert(command.end(), more.begin(), more.end());
  return command;
}

/// The rows and their cells, and what has to be run for them.
class Plan {
 public:
  Plan(const ScenarioOptions& options, const Workspace& workspace, Matrix& matrix)
      : options_(options), workspace_(workspace), matrix_(matrix) {}

  Status add(const Scenario& scenario) {
    const Result<std::vector<Break>> breaks = list_breaks(scenario);
    if (!breaks) return tl::unexpected(breaks.error());
    Break reference;
    for (const std::string& crash : scenario.beyond) reference.expected.push_back({crash, {}});
    add_row(scenario, reference);
    for (const Break& each : *breaks) {
      if (Status known = check_expectation(scenario, each); !known) return known;
      add_row(scenario, each);
    }
    return {};
  }

  std::list<CellRun>& runs() { return runs_; }

 private:
  /// What is expected nowhere would count as found everywhere.
  static Status check_expectation(const Scenario& scenario, const Break& each) {
    const auto& all = matrix_columns();
    for (const Expectation& expected : each.expected) {
      if (std::any_of(all.begin(), all.end(),
                      [&](const MatrixColumn& column) { return column.name == expected.crash; }))
        continue;
      return harness_error(
          fmt::format("{} {} is to be found under '{}', but there is no column "
                      "of that name",
                      scenario.name, each.name, text_of(expected)));
    }
    if (!each.expected.empty()) return {};
    return harness_error(fmt::format("{} {}: nowhere expected", scenario.name, each.name));
  }

  void add_row(const Scenario& scenario, const Break& each) {
    MatrixRow row{scenario.name, each.name, each.mistake, each.signs, {}, {}};
    if (!each.name.empty()) row.left_out = left_out(each);
    for (size_t i = 0; i < matrix_.columns.size(); ++i) {
      const MatrixColumn& column = matrix_.columns[i];
      MatrixCell cell;
      const Expectation* const expected = each.expected_under(column.name);
      cell.expected = expected != nullptr;
      const bool reference = each.name.empty();
      // On a disk that lies a mistake cannot be told from the disk's.
      const bool beyond = std::find(scenario.beyond.begin(), scenario.beyond.end(), column.name) !=
                          scenario.beyond.end();
      const bool asked = reference || cell.expected || (!options_.quick && !beyond);
      if (!column.options.empty()) cell.state = MatrixCell::State::kNotAsked;
      if (!column.options.empty() && asked) {
        runs_.push_back(first_trial(
            scenario, row, i, expected != nullptr ? expected->models : std::vector<std::string>()));
      }
      row.cells.push_back(std::move(cell));
    }
    matrix_.rows.push_back(std::move(row));
  }

  /// The columns under which it must be found, but which are not shown.
  [[nodiscard]] std::vector<std::string> left_out(const Break& each) const {
    std::vector<std::string> names;
    for (const MatrixColumn& column : matrix_columns()) {
      const bool shown =
          std::any_of(matrix_.columns.begin(), matrix_.columns.end(),
                      [&](const MatrixColumn& chosen) { return chosen.name == column.name; });
      if (!shown && each.expected_under(column.name) != nullptr) names.push_back(column.name);
    }
    return names;
  }

  /// The plain run of the cell, with the scenario's own trials behind it.
  CellRun first_trial(const Scenario& scenario, const MatrixRow& row, size_t column,
                      const std::vector<std::string>& models) {
    std::vector<Trial> trials(1);
    for (const Trial& trial : scenario.trials) {
      if (trial.crash == matrix_.columns[column].name) trials.push_back(trial);
    }
    std::list<CellRun> runs;
    const auto add = [&](const Trial& trial, bool fail_fast, bool goes_on) {
      const std::filesystem::path folder = workspace_.path() / fmt::format("run-{}", ++made_);
      runs.push_back({.row = matrix_.rows.size(),
                      .column = column,
                      .command = test_command(options_, scenario, row, matrix_.columns[column],
                                              trial, fail_fast, folder / "result.json"),
                      .models = models,
                      .folder = folder,
                      .goes_on = goes_on,
                      .next = {},
                      .process = std::nullopt});
    };
    const bool fail_fast = !row.name.empty() && matrix_.columns[column].fail_fast_first;
    for (const Trial& trial : trials) {
      if (fail_fast) add(trial, true, false);
      add(trial, false, fail_fast);
    }
    CellRun first = std::move(runs.front());
    runs.pop_front();
    first.next = std::move(runs);
    return first;
  }

  const ScenarioOptions& options_;
  const Workspace& workspace_;
  Matrix& matrix_;
  size_t made_ = 0;
  std::list<CellRun> runs_;
};

std::string last_line_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string last;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) last = line;
  }
  return last;
}

Status start(CellRun& run) {
  std::error_code error;
  std::filesystem::create_directory(run.folder, error);
  const int errors = open((run.folder / "stderr").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (errors < 0) return system_error("cannot write in " + run.folder.string(), errno);
  ChildOptions child;
  child.command = run.command;
  child.working_directory = std::filesystem::current_path();
  child.standard_error = errors;
  Result<ChildProcess> process = ChildProcess::start(child);
  close(errors);
  if (!process) return tl::unexpected(process.error());
  run.process.emplace(std::move(*process));
  return {};
}

/// What the run that has ended says.
MatrixCell read_run(const CellRun& run, const ProcessEnd& end,
                    const std::vector<std::string>& signs) {
  MatrixCell cell;
  cell.state = MatrixCell::State::kNoVerdict;
  const auto* exited = std::get_if<Exited>(&end);
  if (exited != nullptr && exited->code == kExitUnavailable)
    cell.state = MatrixCell::State::kNotRun;
  const Result<reports::ResultDocument> document =
      reports::read_document(run.folder / "result.json");
  if (!document) {
    cell.trouble = last_line_of(run.folder / "stderr");
    if (cell.trouble.empty()) cell.trouble = document.error().message;
    return cell;
  }
  for (const reports::Coverage& coverage : document->coverage) {
    cell.states += coverage.survived + coverage.violated;
    cell.not_measured += coverage.not_measured;
  }
  for (const reports::Finding& finding : document->findings) {
    cell.findings.push_back(
        {finding.title, fmt::format("{}", fmt::join(finding.complaints, "; ")), finding.models});
  }
  if (document->outcome == reports::Outcome::kSurvived ||
      document->outcome == reports::Outcome::kViolated) {
    cell.state = found_state(cell.findings, signs, run.models);
  } else {
    cell.trouble = document->reason;
  }
  return cell;
}

/// What a run has shown, where no progress line does.
std::string line_of(const MatrixRow& row, const MatrixColumn& column, const MatrixCell& shown) {
  const std::string name = row.name.empty() ? "reference" : row.name;
  const std::string what = shown.trouble.empty()
                               ? fmt::format("{}, {}", reports::counted(shown.states, "state"),
                                             reports::counted(shown.findings.size(), "finding"))
                               : shown.trouble;
  return fmt::format("{} {}, {}: {}\n", row.scenario, name, column.name, what);
}

/// Takes what a run that has ended says into the matrix, and tells it where TERMINAL is none; what
/// is to be run next for its cell goes to the front of WAITING.
void take_result(CellRun& run, std::list<CellRun>& waiting, Matrix& matrix,
                 reports::Terminal& terminal) {
  const ProcessEnd end = run.process->wait(kEndLimit);
  MatrixRow& row = matrix.rows[run.row];
  const MatrixCell shown = read_run(run, end, row.signs);
  if (!terminal.is_terminal()) terminal.print(line_of(row, matrix.columns[run.column], shown));
  add_run(shown, row.cells[run.column]);
  remove_tree(run.folder);
  const bool settled = !row.name.empty() && shown.state == MatrixCell::State::kFound;
  std::list<CellRun> rest = std::move(run.next);
  if (!rest.empty() && rest.front().goes_on && shown.findings.empty()) rest.pop_front();
  if (settled || rest.empty()) return;
  waiting.splice(waiting.begin(), rest, rest.begin());
  waiting.front().next = std::move(rest);
}

void stop_all(std::list<CellRun>& running) {
  for (CellRun& run : running) run.process->signal(SIGINT);
  for (CellRun& run : running) static_cast<void>(run.process->wait(kEndLimit));
}

/// The cells of RUNS count as not run, unless something was found there before.
void leave_out(const std::list<CellRun>& runs, Matrix& matrix) {
  for (const CellRun& run : runs) {
    MatrixCell& cell = matrix.rows[run.row].cells[run.column];
    if (cell.state != MatrixCell::State::kFound) cell.state = MatrixCell::State::kNotRun;
  }
}

/// Runs all cells, as many at a time as there are processors. Fails with kInterrupted after an
/// interrupt: then the matrix says of what is left that it was not run.
Status run_all(std::list<CellRun>& waiting, size_t workers, Matrix& matrix,
               reports::Terminal& terminal) {
  size_t done = 0;
  std::list<CellRun> running;
  while (!waiting.empty() || !running.empty()) {
    while (!waiting.empty() && running.size() < workers) {
      running.splice(running.end(), waiting, waiting.begin());
      if (Status ok = start(running.back()); !ok) {
        running.pop_back();
        stop_all(running);
        return ok;
      }
    }
    terminal.progress(
        reports::progress_text(done, done + waiting.size() + running.size(), "runs", ""));
    std::vector<pollfd> events{{asked_to_stop().descriptor, POLLIN, 0}};
    for (const CellRun& run : running) events.push_back({run.process->descriptor(), POLLIN, 0});
    if (poll(events.data(), events.size(), -1) < 0 && errno != EINTR) {
      return system_error("poll", errno);
    }
    if (interrupted()) {
      stop_all(running);
      leave_out(running, matrix);
      leave_out(waiting, matrix);
      return fail(ErrorKind::kInterrupted, "interrupted; the matrix above lacks what was not run");
    }
    size_t index = 0;
    for (auto run = running.begin(); run != running.end();) {
      if (events[++index].revents == 0) {
        ++run;
        continue;
      }
      take_result(*run, waiting, matrix, terminal);
      run = running.erase(run);
      ++done;
    }
  }
  terminal.clear_progress();
  return {};
}

/// Whether this everycrash knows what the column asks of it; if not, says why not.
void find_out(MatrixColumn& column) {
  std::vector<std::string> arguments = {"test"};
  arguments.insert(arguments.end(), column.options.begin(), column.options.end());
  arguments.insert(arguments.end(), {"--", "true"});
  const Result<Invocation> parsed = parse_arguments(arguments);
  const Status known = parsed ? check_values(parsed->test) : tl::unexpected(parsed.error());
  if (known) return;
  column.options.clear();
  column.not_run = known.error().message.substr(0, known.error().message.find('\n'));
}

Status choose_columns(const ScenarioOptions& options, Matrix& matrix) {
  std::vector<std::string> names;
  for (const MatrixColumn& column : matrix_columns()) {
    names.push_back(column.name);
    const auto& wanted = options.columns;
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), column.name) != wanted.end()) {
      matrix.columns.push_back(column);
      find_out(matrix.columns.back());
    }
  }
  for (const std::string& wanted : options.columns) {
    if (std::find(names.begin(), names.end(), wanted) != names.end()) continue;
    const std::string near = nearest(wanted, names);
    return fail(ErrorKind::kUsage,
                fmt::format("--columns {}: there is no such column{}\n"
                            "There are: {}",
                            wanted, near.empty() ? "" : "; did you mean " + near + "?",
                            fmt::join(names, ", ")));
  }
  return {};
}

Status check_matrix_options(const ScenarioOptions& options) {
  const TestOptions defaults;
  if (options.common.crash == defaults.crash && options.common.models == defaults.models) return {};
  return fail(ErrorKind::kUsage,
              "--matrix chooses crash kinds and models itself; leave --crash and --fs out, or "
              "choose among its columns: --columns kill,power");
}

Status write_json(const Matrix& matrix, const std::filesystem::path& file) {
  std::ofstream out(file);
  out << matrix_json(matrix);
  out.close();
  if (out) return {};
  return harness_error(
      fmt::format("cannot write {}; name another file with --json", file.string()));
}

}  // namespace

std::vector<std::string> variables_kept_from_cells() {
  std::vector<std::string> names = {"TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS",
                                    "TEST_SHARD_STATUS_FILE"};
  for (const CommandRow& command : command_table()) {
    if (command.name != "test") continue;
    for (const OptionRow& option : command.options) {
      if (!option.environment.empty()) names.push_back(option.environment);
    }
  }
  return names;
}

Result<int> run_matrix(const ScenarioOptions& options, const std::vector<Scenario>& scenarios) {
  if (Status ok = check_matrix_options(options); !ok) return tl::unexpected(ok.error());
  // From this process, too: it parses what it asks of the cells, see find_out().
  for (const std::string& name : variables_kept_from_cells()) unsetenv(name.c_str());
  const Result<reports::ColourChoice> colour = reports::parse_colour(options.common.color);
  if (!colour) return tl::unexpected(colour.error());
  Result<Workspace> workspace = Workspace::create();
  if (!workspace) return tl::unexpected(workspace.error());
  Matrix matrix;
  matrix.quick = options.quick;
  if (Status ok = choose_columns(options, matrix); !ok) return tl::unexpected(ok.error());
  Plan plan(options, *workspace, matrix);
  for (const Scenario& scenario : scenarios) {
    if (Status ok = plan.add(scenario); !ok) return tl::unexpected(ok.error());
  }
  const size_t workers = options.common.jobs != 0
                             ? options.common.jobs
                             : std::max(1U, std::thread::hardware_concurrency());
  reports::Terminal progress(STDERR_FILENO, *colour);
  const Status ran = run_all(plan.runs(), workers, matrix, progress);
  if (!ran && ran.error().kind != ErrorKind::kInterrupted) return tl::unexpected(ran.error());
  reports::Terminal out(STDOUT_FILENO, *colour);
  out.print(matrix_text(matrix, out.colour()));
  if (!options.common.json.empty()) {
    if (Status ok = write_json(matrix, options.common.json); !ok) {
      return tl::unexpected(ok.error());
    }
  }
  if (!ran) return tl::unexpected(ran.error());
  const MatrixScore score = score_of(matrix);
  if (score.missed + score.accused > 0) return kExitFinding;
  const bool complete = std::none_of(matrix.columns.begin(), matrix.columns.end(),
                                     [](const auto& column) { return column.options.empty(); });
  return options.common.require_complete && !complete ? kExitIncomplete : kExitGood;
}

}  // namespace everycrash::cli
