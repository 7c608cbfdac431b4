// `everycrash chaos`: rounds of lives with random faults, each round judged, all of them counted.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <fstream>

#include "harness/cli/chaos_report.h"
#include "harness/cli/commands.h"
#include "harness/cli/fault_campaign.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/judging.h"
#include "harness/inject/chaos_plan.h"
#include "harness/inject/fault_pipes.h"
#include "harness/inject/fault_text.h"
#include "reports/text.h"

namespace everycrash::cli {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr int kInconsistent = 1;

/// What all lives of a round have left, printed and sent.
struct Round {
  FileSystem tree;
  std::string printed;
  std::string events;
  uint64_t failed_lives = 0;
  bool calls_failed = false;
  std::string story;  ///< a line a life
};

class Chaos {
 public:
  Chaos(const ChaosOptions& options, const Trace& trace, FaultedRuns& runs, StateJudge& judge)
      : options_(options), ground_(chaos_ground(trace)), trace_(trace), runs_(runs), judge_(judge) {
    counts_.seed = options.common.seed;
  }

  Status play(uint64_t number);
  ChaosCounts& counts() { return counts_; }

 private:
  Status live(const ChaosLife& life, Round& round);
  Status recover(const Round& round, uint64_t number);
  Status judge(const Round& round, uint64_t number);
  void tell(const Round& round, uint64_t number, const std::string& what) const;

  const ChaosOptions& options_;
  ChaosGround ground_;
  const Trace& trace_;
  FaultedRuns& runs_;
  StateJudge& judge_;
  ChaosCounts counts_;
};

Status Chaos::play(uint64_t number) {
  Result<FileSystem> start = FileSystem::initial(trace_);
  if (!start) return tl::unexpected(start.error());
  Round round{.tree = std::move(*start)};
  for (const ChaosLife& life : chaos_lives(options_.common.seed, number, ground_)) {
    if (Status ok = live(life, round); !ok) return ok;
  }
  ++counts_.rounds;
  if (Status ok = recover(round, number); !ok) return ok;
  return judge(round, number);
}

Status Chaos::live(const ChaosLife& life, Round& round) {
  const Result<std::string> plan = plan_of(life.faults, options_.common.seed);
  if (!plan) return tl::unexpected(plan.error());
  runs_.give_effects(round.events);
  Result<FaultedRun> run = runs_.run_on(round.tree, *plan);
  if (!run) return tl::unexpected(run.error());
  ++counts_.runs;
  count_faults(life.faults, *run, counts_);
  count_steps(run->events, counts_);
  round.story += fmt::format("    {}: {}\n", fmt::join(life.faults, ", "),
                             run->endless ? "it does not end" : describe(run->end));
  if (!run->succeeded()) ++round.failed_lives;
  round.calls_failed = round.calls_failed || life.fails_calls;
  round.tree = std::move(run->tree);
  round.printed += run->printed;
  round.events += run->events;
  return {};
}

Status Chaos::recover(const Round& round, uint64_t number) {
  runs_.give_effects(round.events);
  const Result<FaultedRun> run = runs_.run_on(round.tree, "");
  if (!run) return tl::unexpected(run.error());
  ++counts_.runs;
  count_steps(run->events, counts_);
  if (!run->succeeded()) {
    tell(round, number,
         fmt::format("left in peace, the workload ends with {}", describe(run->end)));
    return {};
  }
  ++counts_.succeeded;
  ++counts_.retries[round.failed_lives];
  counts_.recovery_total += run->took;
  counts_.recovery_worst = std::max(counts_.recovery_worst, run->took);
  return {};
}

Status Chaos::judge(const Round& round, uint64_t number) {
  judge_.set_for_commands("EVERYCRASH_FAULT", round.calls_failed ? "chaos" : "");
  const Result<std::vector<Complaint>> complaints =
      judge_.judge({.tree = &round.tree, .printed = round.printed, .events = round.events});
  if (!complaints) return tl::unexpected(complaints.error());
  std::string said;
  bool judged = true;
  for (const Complaint& complaint : *complaints) {
    if (complaint.verdict == Verdict::kViolated) said += "    " + complaint.message + "\n";
    judged = judged && complaint.verdict != Verdict::kNotMeasured;
  }
  if (!said.empty()) {
    tell(round, number, "what is left is not good");
    fmt::print("{}", said);
  } else if (judged) {
    ++counts_.consistent;
  } else {
    ++counts_.not_measured;
  }
  return {};
}

void Chaos::tell(const Round& round, uint64_t number, const std::string& what) const {
  fmt::print("FAIL  round {} of seed {}: {}\n{}", number, options_.common.seed, what, round.story);
  fmt::print("    again: the same command with --seed {} --round {}\n", options_.common.seed,
             number);
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

/// Tells the counts; 1 if a round was not consistent, or not successful in the end.
Result<int> conclude(const ChaosOptions& options, const ChaosCounts& counts) {
  fmt::print("{}", chaos_text(counts));
  if (Status ok = write_metrics(options.metrics, counts); !ok) return tl::unexpected(ok.error());
  const bool good =
      counts.consistent + counts.not_measured == counts.rounds && counts.succeeded == counts.rounds;
  if (!good) return kInconsistent;
  if (counts.consistent == 0) return harness_error("not one round could be judged; give a checker");
  return 0;
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
  const Result<Trace> trace = Trace::open(file);
  if (!trace) return tl::unexpected(trace.error());
  const Result<reports::Judging> judging = judging_of(options.common, *workload);
  if (!judging) return tl::unexpected(judging.error());
  const Result<Panel> panel = make_panel(*trace,
                                         {.judging = *judging,
                                          .workload = workload->argv,
                                          .recorded_path = workload->state_directory,
                                          .plain = options.common.plain},
                                         *workspace);
  if (!panel) return tl::unexpected(panel.error());
  const FaultPipes pipes;
  Result<FaultPlaces> made =
      make_fault_places(options.common, *workload, *trace, panel->grounds->history, *workspace, 1);
  if (!made) return tl::unexpected(made.error());
  Chaos chaos(options, *trace, *made->places.front(), *panel->judges.front());
  const Status played = play_all(options, chaos);
  if (!played && played.error().kind != ErrorKind::kInterrupted) {
    return tl::unexpected(played.error());
  }
  const Result<int> status = conclude(options, chaos.counts());
  if (interrupted()) return fail(ErrorKind::kInterrupted, "interrupted");
  return status;
}

}  // namespace everycrash::cli
