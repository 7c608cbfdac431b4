// `everycrash chaos`: rounds of lives with random faults, each round judged, all of them counted.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <fstream>

#include "harness/base/exit_status.h"
#include "harness/campaign/chaos_campaign.h"
#include "harness/campaign/fault_places.h"
#include "harness/campaign/panel.h"
#include "harness/campaign/workspace.h"
#include "harness/cli/chaos_report.h"
#include "harness/cli/commands.h"
#include "harness/cli/document/chaos_document.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/judge_plan.h"
#include "harness/cli/keep.h"
#include "harness/cli/plan_of.h"
#include "harness/cli/report_files.h"
#include "harness/cli/sharding.h"
#include "harness/cli/terminal_progress.h"
#include "harness/inject/fault_pipes.h"
#include "reports/text.h"

namespace everycrash::cli {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// TEXT as it stands below the first line of a failure.
void print_below(std::string_view text) {
  if (text.starts_with('\n')) text.remove_prefix(1);
  for (const std::string& line : reports::printable_lines(text)) fmt::print("    {}\n", line);
}

/// Prints a failure as it comes.
void print_failure(const ChaosFailure& failure, uint64_t seed) {
  const std::string what = words_for(failure);
  fmt::print("FAIL  round {} of seed {}: {}\n", failure.round, seed, what);
  for (const ChaosLifeFacts& life : failure.lives) fmt::print("    {}\n", words_for(life));
  print_below(last_words(failure.failed_stderr_tail));
  if (failure.complaints.empty()) {
    print_below(last_words(failure.stderr_tail));
  } else {
    for (const std::string& said : said_of(failure)) print_below(said);
  }
  fmt::print("    again: the same command with --seed {} --round {}\n", seed, failure.round);
}

Status write_metrics(const std::filesystem::path& file, const ChaosCounts& counts) {
  if (file.empty()) return {};
  std::ofstream out(file, std::ios::trunc);
  out << prometheus_text(counts);
  out.close();
  if (!out) return harness_error(fmt::format("cannot write the metrics to {}", file.string()));
  return {};
}

Status play_all(const ChaosOptions& options, ChaosCampaign& chaos) {
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
                     reports::ResultDocument document, const std::filesystem::path& trace_file) {
  fmt::print("{}", chaos_text(counts));
  if (Status ok = write_metrics(options.metrics, counts); !ok) return tl::unexpected(ok.error());
  if (Status ok = waive(options.common, document); !ok) return tl::unexpected(ok.error());
  settle(counts, document);
  if (Status ok = keep_and_draw(document, options.common, trace_file); !ok) {
    return tl::unexpected(ok.error());
  }
  if (Status ok = write_reports(options.common, document); !ok) return tl::unexpected(ok.error());
  if (!document.reason.empty()) fmt::print(stderr, "everycrash: error: {}\n", document.reason);
  return document.exit_code;
}

/// Plays all rounds on what was recorded in TRACE_FILE, and tells of them.
Result<int> play(const ChaosOptions& options, const CampaignPlan& plan, const Workload& workload,
                 const Workspace& workspace, const std::filesystem::path& trace_file) {
  Result<Trace> trace = Trace::open(trace_file);
  if (!trace) return tl::unexpected(trace.error());
  const Result<reports::Judging> judging = judging_of(options.common, workload);
  if (!judging) return tl::unexpected(judging.error());
  const auto marked = mark_effects_of(judging->effects, *trace);
  if (!marked) return tl::unexpected(marked.error());
  Result<JudgeOptions> judge = judge_options_of(*judging, workload.argv);
  if (!judge) return tl::unexpected(judge.error());
  const Result<Panel> panel = make_panel(*trace,
                                         {.judging = std::move(*judge),
                                          .recorded_path = workload.state_directory,
                                          .plain = plan.plain,
                                          .host_sink = host_sink_of(workload),
                                          .stop = asked_to_stop()},
                                         workspace);
  if (!panel) return tl::unexpected(panel.error());
  const FaultPipes pipes;
  Result<FaultPlaces> made = make_fault_places({.run = plan.run,
                                                .workload = workload,
                                                .trace = *trace,
                                                .judged_by = *panel->grounds,
                                                .workspace = workspace,
                                                .stop = asked_to_stop(),
                                                .plain = plan.plain});
  if (!made) return tl::unexpected(made.error());
  ChaosCampaign chaos(plan.seed, *trace, *made->places.front(), *panel->seats.front(),
                      [&plan](const ChaosFailure& failure) { print_failure(failure, plan.seed); });
  const Status played = play_all(options, chaos);
  if (!played && played.error().kind != ErrorKind::kInterrupted) {
    return tl::unexpected(played.error());
  }
  const std::vector<std::string> arguments = own_arguments();
  reports::ResultDocument document = chaos_document({.plan = plan,
                                                     .workload = workload,
                                                     .trace = *trace,
                                                     .judged_by = *panel->grounds,
                                                     .limitations = panel->limitations,
                                                     .counts = chaos.counts(),
                                                     .failures = chaos.failures(),
                                                     .arguments = arguments});
  document.judging = *judging;
  document.command = repeatable_command(arguments);
  return conclude(options, chaos.counts(), std::move(document), trace_file);
}

}  // namespace

Result<int> run_chaos(const ChaosOptions& options) {
  Result<CampaignPlan> plan = campaign_plan_of(options.common);
  if (!plan) return tl::unexpected(plan.error());
  plan->crash = {CrashKind::kChaos};
  Result<Workspace> workspace = Workspace::create();
  if (!workspace) return tl::unexpected(workspace.error());
  const Result<Workload> workload = prepare(plan->run, *workspace);
  if (!workload) return tl::unexpected(workload.error());
  const std::filesystem::path file = workspace->path() / "trace";
  reports::Terminal terminal(STDERR_FILENO, reports::ColourChoice::kNever);
  TerminalProgress progress(terminal, true);
  const Result<RecordOutcome> outcome =
      record_undisturbed(plan->run, *workload, file, *workspace, asked_to_stop(), progress);
  if (!outcome) return tl::unexpected(outcome.error());
  return play(options, *plan, *workload, *workspace, file);
}

}  // namespace everycrash::cli
