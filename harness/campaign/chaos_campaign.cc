#include "harness/campaign/chaos_campaign.h"

#include <fmt/format.h>

#include <functional>
#include <utility>

#include "harness/base/digest.h"
#include "harness/campaign/seat.h"
#include "harness/explain/path_pattern.h"
#include "harness/inject/fault_text.h"
#include "harness/inject/faulted_runs.h"

namespace everycrash {

/// What all lives of a round have left, printed and sent.
struct ChaosRound {
  uint64_t number = 0;
  FileSystem tree;
  std::string printed;
  size_t printed_before = 0;  ///< by the lives before the last one
  std::string events;
  SinkMemory sink{SinkOptions{}};  ///< what it had done after them
  uint64_t failed_lives = 0;
  bool calls_failed = false;
  std::vector<ChaosLifeFacts> lives;
  std::string stderr_tail;  ///< of the last life that failed by itself
};

namespace {

constexpr int32_t kNoProcess = -1;

std::string_view first_line(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

/// What tells a failure from others. What a program printed says more than how it ended.
std::string key_of(const ChaosFailure& failure) {
  if (failure.complaints.empty()) {
    return fmt::format(
        "chaos eventual success {}",
        path_pattern("left in peace, the workload ends with " + describe(failure.end), kNoProcess));
  }
  const Complaint& first = failure.complaints.front();
  std::string what = first.path;
  if (what.empty()) what = first_line(first.said.empty() ? first.message : first.said);
  return fmt::format("chaos {} {}", name_of(first.judge), path_pattern(what, kNoProcess));
}

}  // namespace

std::string ChaosFailure::path() const {
  return complaints.empty() ? "" : complaints.front().path;
}

std::string ChaosCluster::id() const {
  return short_id_of(key);
}

void ChaosClusters::add(ChaosFailure failure) {
  const std::string key = key_of(failure);
  ChaosCluster& cluster = clusters_[key];
  cluster.rounds.push_back(failure.round);
  if (cluster.rounds.size() > 1) return;
  cluster.key = key;
  cluster.first = std::move(failure);
}

ChaosCampaign::ChaosCampaign(uint64_t seed, const Trace& trace, FaultedRuns& runs, Seat& judge,
                             Tell tell)
    : ground_(chaos_ground(trace)),
      trace_(trace),
      runs_(runs),
      judge_(judge),
      tell_(std::move(tell)) {
  counts_.seed = seed;
}

Status ChaosCampaign::play(uint64_t number) {
  Result<FileSystem> start = FileSystem::initial(trace_);
  if (!start) return tl::unexpected(start.error());
  ChaosRound round{.number = number, .tree = std::move(*start), .sink = runs_.new_sink()};
  for (const ChaosLife& life : chaos_lives(counts_.seed, number, ground_)) {
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

Status ChaosCampaign::live(const ChaosLife& life, ChaosRound& round) {
  const Result<std::string> plan = plan_of(life.faults, counts_.seed);
  if (!plan) return tl::unexpected(plan.error());
  if (Status ok = runs_.tell_past(round.printed, round.events); !ok) return ok;
  Result<FaultedRun> run = runs_.run_on(round.tree, *plan, round.sink);
  if (!run) return tl::unexpected(run.error());
  ++counts_.runs;
  count_faults(life.faults, *run, counts_);
  count_steps(run->events, counts_);
  round.lives.push_back({life.faults, run->end, run->endless});
  if (!run->succeeded() && !run->killed) round.stderr_tail = run->stderr_tail;
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
Result<bool> ChaosCampaign::recover(const ChaosRound& round) {
  if (Status ok = runs_.tell_past(round.printed, round.events); !ok)
    return tl::unexpected(ok.error());
  const Result<FaultedRun> run = runs_.run_on(round.tree, "", round.sink);
  if (!run) return tl::unexpected(run.error());
  ++counts_.runs;
  count_steps(run->events, counts_);
  if (!run->succeeded()) {
    note(round, {.end = run->end, .stderr_tail = run->stderr_tail});
    return false;
  }
  ++counts_.succeeded;
  ++counts_.retries[round.failed_lives];
  counts_.recovery_total += run->took;
  counts_.recovery_worst = std::max(counts_.recovery_worst, run->took);
  return true;
}

Result<Verdict> ChaosCampaign::judge(const ChaosRound& round) {
  judge_.set_for_commands("EVERYCRASH_FAULT", round.calls_failed ? "chaos" : "");
  const FoundEffects done{.sink_before = round.sink};
  Result<std::vector<Complaint>> complaints =
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
  std::erase_if(*complaints, std::not_fn(is_violation));
  note(round, {.complaints = std::move(*complaints)});
  return verdict;
}

void ChaosCampaign::note(const ChaosRound& round, ChaosFailure failure) {
  failure.round = round.number;
  failure.lives = round.lives;
  failure.failed_stderr_tail = round.stderr_tail;
  failure.tree = round.tree;
  failure.printed = round.printed;
  tell_(failure);
  failures_.add(std::move(failure));
}

}  // namespace everycrash
