// `everycrash chaos`: rounds of lives with random faults, each round judged, all of them counted.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <fstream>

#include "harness/base/exit_status.h"
#include "harness/cli/chaos_document.h"
#include "harness/cli/chaos_report.h"
#include "harness/cli/commands.h"
#include "harness/cli/fault_campaign.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/judging.h"
#include "harness/cli/report_files.h"
#include "harness/cli/sharding.h"
#include "harness/inject/chaos_plan.h"
#include "harness/inject/fault_pipes.h"
#include "harness/inject/fault_text.h"
#include "reports/text.h"

namespace everycrash::cli {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// What all lives of a round have left, printed and sent.
struct Round {
  uint64_t number = 0;
  FileSystem tree;
  std::string printed;
  size_t printed_before = 0;  ///< by the lives before the last one
  std::string events;
  SinkMemory sink{SinkOptions{}};  ///< what it had done after them
  uint64_t failed_lives = 0;
  bool calls_failed = false;
  std::vector<std::string> story;  ///< a line a life
  std::string last_words;          ///< of the last life that failed by itself
};

/// TEXT as it stands below the first line of a failure.
void print_below(std::string_view text) {
  if (text.starts_with('\n')) text.remove_prefix(1);
  for (const std::string& line : reports::printable_lines(text)) fmt::print("    {}\n", line);
}

class Chaos {
 public:
  Chaos(const ChaosOptions& options, const Trace& trace, FaultedRuns& runs, StateJudge& judge)
      : options_(options), ground_(chaos_ground(trace)), trace_(trace), runs_(runs), judge_(judge) {
    counts_.seed = options.common.seed;
  }

  Status play(uint64_t number);
  ChaosCounts& counts() { return counts_; }
  [[nodiscard]] const ChaosClusters& failures() const { return failures_; }

 private:
  Status live(const ChaosLife& life, Round& round);
  Result<bool> recover(const Round& round);
  Result<Verdict> judge(const Round& round);
  void tell(const std::string& what, const Round& round, ChaosFailure failure);

  const ChaosOptions& options_;
  ChaosGround ground_;
  const Trace& trace_;
  FaultedRuns& runs_;
  StateJudge& judge_;
  ChaosCounts counts_;
  ChaosClusters failures_;
};

Status Chaos::play(uint64_t number) {
  Result<FileSystem> start = FileSystem::initial(trace_);
  if (!start) return tl::unexpected(start.error());
  Round round{.number = number, .tree = std::move(*start), .sink = runs_.new_sink()};
  for (const ChaosLife& life : chaos_lives(options_.common.seed, number, ground_)) {
    if (Status ok = live(life, round); !ok) return ok;
  }
  ++counts_.rounds;
  const Result<bool> recovered = recover(round);
  if (!recovered) return tl::unexpected(recovered.error());
  const Result<Verdict> verdict = judge(round);
  if (!verdict) return tl::unexpected(verdict.error());
  if (!*recovered || *verdict == Verdict::kViolated) {
    ++counts_.bad;
  } else if (*verdict == Verdict::kSurvived) {
    ++counts_.survived;
  }
  return {};
}

Status Chaos::live(const ChaosLife& life, Round& round) {
  const Result<std::string> plan = plan_of(life.faults, options_.common.seed);
  if (!plan) return tl::unexpected(plan.error());
  if (Status ok = runs_.tell_past(round.printed, round.events); !ok) return ok;
  Result<FaultedRun> run = runs_.run_on(round.tree, *plan, round.sink);
  if (!run) return tl::unexpected(run.error());
  ++counts_.runs;
  count_faults(life.faults, *run, counts_);
  count_steps(run->events, counts_);
  round.story.push_back(fmt::format("{}: {}", fmt::join(life.faults, ", "),
                                    run->endless ? "it does not end" : describe(run->end)));
  if (!run->succeeded() && !run->killed) round.last_words = last_words(run->stderr_tail);
  if (!run->succeeded()) ++round.failed_lives;
  round.calls_failed = round.calls_failed || life.fails_calls;
  round.tree = std::move(run->tree);
  round.printed_before = round.printed.size();
  round.printed += run->printed;
  round.events += run->events;
  round.sink = std::move(run->sink);
  return {};
}

/// True if the workload, left in peace, succeeds on what the round has left.
Result<bool> Chaos::recover(const Round& round) {
  if (Status ok = runs_.tell_past(round.printed, round.events); !ok)
    return tl::unexpected(ok.error());
  const Result<FaultedRun> run = runs_.run_on(round.tree, "", round.sink);
  if (!run) return tl::unexpected(run.error());
  ++counts_.runs;
  count_steps(run->events, counts_);
  if (!run->succeeded()) {
    const std::string what =
        fmt::format("left in peace, the workload ends with {}", describe(run->end));
    tell(what, round, {.judge = kEventualSuccess, .said = {what + last_words(run->stderr_tail)}});
    return false;
  }
  ++counts_.succeeded;
  ++counts_.retries[round.failed_lives];
  counts_.recovery_total += run->took;
  counts_.recovery_worst = std::max(counts_.recovery_worst, run->took);
  return true;
}

Result<Verdict> Chaos::judge(const Round& round) {
  judge_.set_for_commands("EVERYCRASH_FAULT", round.calls_failed ? "chaos" : "");
  const FoundEffects done{.sink_before = round.sink};
  const Result<std::vector<Complaint>> complaints =
      judge_.judge({.tree = &round.tree,
                    .printed = round.printed,
                    .events = round.events,
                    .effects = &done,
                    .printed_before = round.printed_before});
  if (!complaints) return tl::unexpected(complaints.error());
  const Verdict verdict = worst_of(*complaints);
  if (verdict != Verdict::kViolated) {
    ++(verdict == Verdict::kNotMeasured ? counts_.not_measured : counts_.consistent);
    return verdict;
  }
  ChaosFailure failure;
  for (const Complaint& complaint : *complaints) {
    if (complaint.verdict != Verdict::kViolated) continue;
    if (failure.said.empty()) {
      failure.judge = name_of(complaint.judge);
      failure.path = complaint.path;
    }
    failure.said.push_back(complaint.message);
  }
  tell("what is left is not good", round, std::move(failure));
  return verdict;
}

void Chaos::tell(const std::string& what, const Round& round, ChaosFailure failure) {
  failure.round = round.number;
  failure.lives = round.story;
  failure.tree = round.tree;
  failure.printed = round.printed;
  const uint64_t seed = options_.common.seed;
  fmt::print("FAIL  round {} of seed {}: {}\n", round.number, seed, what);
  for (const std::string& life : round.story) fmt::print("    {}\n", life);
  print_below(round.last_words);
  for (const std::string& said : failure.said) {
    print_below(said.starts_with(what) ? std::string_view(said).substr(what.size()) : said);
  }
  fmt::print("    again: the same command with --seed {} --round {}\n", seed, round.number);
  failures_.add(std::move(failure));
}

Status write_metrics(const std::filesystem::path& file, const ChaosCounts& counts) {
  if (file.empty()) return {};
  std::ofstream out(file, std::ios::trunc);
  out << prometheus_text(counts);
  out.close();
  if (!out) return harness_error(fmt::format("cannot write the metrics to {}", file.string()));
  return {};
}

Status play_all(const ChaosOptions& options, Chaos& chaos) {
  const Result<milliseconds> limit = parse_duration(options.duration, "--for");
  if (!limit) return tl::unexpected(limit.error());
  const auto start = Clock::now();
  const uint64_t first = options.round.value_or(0);
  for (uint64_t number = first; !interrupted(); ++number) {
    const uint64_t played = number - first;
    if (options.round && played == 1) break;
    if (options.rounds != 0 && played == options.rounds) break;
    if (options.rounds == 0 && played > 0 && Clock::now() - start >= *limit) break;
    if (Status ok = chaos.play(number); !ok) return ok;
  }
  chaos.counts().elapsed = std::chrono::duration_cast<milliseconds>(Clock::now() - start);
  return {};
}

/// What becomes of a run with these rounds: 1 if one of them was not good, and is not known.
void settle(const ChaosCounts& counts, reports::ResultDocument& document) {
  document.interrupted = interrupted();
  document.outcome = reports::Outcome::kSurvived;
  if (counts.bad > 0) {
    document.outcome = reports::Outcome::kViolated;
    document.exit_code = reports::count_failing(document) > 0 ? kExitFinding : kExitGood;
  } else if (counts.survived == 0) {
    document.outcome = reports::Outcome::kNotMeasured;
    document.reason = "not one round could be judged; give a checker";
    document.exit_code = kExitNoVerdict;
  }
  if (document.interrupted) document.exit_code = kExitInterrupted;
}

/// Tells the counts and writes every report; the exit status.
Result<int> conclude(const ChaosOptions& options, const ChaosCounts& counts,
                     reports::ResultDocument document, const Exploration& exploration) {
  fmt::print("{}", chaos_text(counts));
  if (Status ok = write_metrics(options.metrics, counts); !ok) return tl::unexpected(ok.error());
  if (Status ok = waive(options.common, document); !ok) return tl::unexpected(ok.error());
  settle(counts, document);
  if (Status ok = keep_and_draw(document, exploration); !ok) return tl::unexpected(ok.error());
  if (Status ok = write_reports(options.common, document); !ok) return tl::unexpected(ok.error());
  if (!document.reason.empty()) fmt::print(stderr, "everycrash: error: {}\n", document.reason);
  return document.exit_code;
}

}  // namespace

Result<int> run_chaos(const ChaosOptions& options) {
  Result<Workspace> workspace = Workspace::create();
  if (!workspace) return tl::unexpected(workspace.error());
  const Result<Workload> workload = prepare(options.common, *workspace);
  if (!workload) return tl::unexpected(workload.error());
  const std::filesystem::path file = workspace->path() / "trace";
  const Result<RecordOutcome> outcome =
      record_undisturbed(options.common, *workload, file, *workspace);
  if (!outcome) return tl::unexpected(outcome.error());
  Result<Trace> trace = Trace::open(file);
  if (!trace) return tl::unexpected(trace.error());
  const Result<reports::Judging> judging = judging_of(options.common, *workload);
  if (!judging) return tl::unexpected(judging.error());
  const auto marked = mark_effects(judging->effects, *trace);
  if (!marked) return tl::unexpected(marked.error());
  const Result<Panel> panel = make_panel(*trace,
                                         {.judging = *judging,
                                          .workload = workload->argv,
                                          .recorded_path = workload->state_directory,
                                          .plain = options.common.plain,
                                          .host_sink = host_sink_of(*workload)},
                                         *workspace);
  if (!panel) return tl::unexpected(panel.error());
  const FaultPipes pipes;
  Result<FaultPlaces> made =
      make_fault_places(options.common, *workload, *trace, *panel->grounds, *workspace, 1);
  if (!made) return tl::unexpected(made.error());
  Chaos chaos(options, *trace, *made->places.front(), *panel->judges.front());
  const Status played = play_all(options, chaos);
  if (!played && played.error().kind != ErrorKind::kInterrupted) {
    return tl::unexpected(played.error());
  }
  const Exploration exploration{options.common, *workload, *workspace,
                                *trace,         file,      repeatable_command(own_arguments())};
  return conclude(options, chaos.counts(),
                  chaos_document(exploration, *panel, chaos.counts(), chaos.failures()),
                  exploration);
}

}  // namespace everycrash::cli
