#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "harness/base/crash_kind.h"
#include "harness/base/digest.h"
#include "harness/check/kill_state_maker.h"
#include "harness/cli/choice.h"
#include "harness/cli/clock_variants.h"
#include "harness/cli/explorations.h"
#include "harness/cli/live_judgement.h"
#include "harness/cli/not_measured.h"
#include "harness/explain/kill_clusters.h"
#include "harness/explore/kill_states.h"
#include "harness/inject/live_kill.h"

namespace everycrash::cli {
namespace {

Result<std::unique_ptr<StateMaker>> make_rebuilder(const Campaign& campaign,
                                                   const KillStates& kills) {
  Result<StateBuilder> builder = StateBuilder::create(campaign.exploration.trace);
  if (!builder) return tl::unexpected(builder.error());
  return std::make_unique<KillStateMaker>(std::move(*builder), kills);
}

/// The worker of --live: runs share one state directory, so there is only one.
Result<Worker> make_live_worker(Campaign& campaign, const KillStates& kills, const Choice& choice) {
  const Exploration& exploration = campaign.exploration;
  Result<::everycrash::RecordOptions> options =
      recorder_options(exploration.options, exploration.workload,
                       exploration.workspace.path() / "live.trace", exploration.workspace);
  if (!options) return tl::unexpected(options.error());
  auto live = LiveStateMaker::create(exploration.trace, kills, std::move(*options),
                                     campaign.panel.grounds->options.effects);
  if (!live) return tl::unexpected(live.error());
  Result<std::unique_ptr<StateMaker>> rebuilder = make_rebuilder(campaign, kills);
  if (!rebuilder) return tl::unexpected(rebuilder.error());
  auto states = std::make_unique<LiveStates>(std::move(*live), std::move(*rebuilder));
  auto judgement = std::make_unique<LiveJudgement>(
      std::make_unique<LentJudge>(*campaign.panel.judges.front()), *states);
  return Worker{std::make_unique<ChosenStates>(std::move(states), choice.numbers),
                std::move(judgement)};
}

Result<std::vector<Worker>> make_workers(Campaign& campaign, const KillStates& kills,
                                         const Choice& choice, bool live) {
  std::vector<Worker> workers;
  if (live) {
    Result<Worker> worker = make_live_worker(campaign, kills, choice);
    if (!worker) return tl::unexpected(worker.error());
    workers.push_back(std::move(*worker));
    return workers;
  }
  for (const std::unique_ptr<StateJudge>& judge : campaign.panel.judges) {
    Result<std::unique_ptr<StateMaker>> maker = make_rebuilder(campaign, kills);
    if (!maker) return tl::unexpected(maker.error());
    workers.push_back({std::make_unique<ChosenStates>(std::move(*maker), choice.numbers),
                       std::make_unique<LentJudge>(*judge, campaign.watch)});
  }
  return workers;
}

/// What names a state and the clock by which it was judged.
Digest digest_under(const Digest& state, const ClockVariant* clock) {
  return clock == nullptr ? state : digest_of(state.hex() + clock->name);
}

DigestOf states_of(const KillStates& kills) {
  return [&kills](uint32_t state) { return kills.states()[state].digest; };
}

DigestOf verdicts_under(const KillStates& kills, const ClockVariant* clock) {
  return
      [&kills, clock](uint32_t state) { return digest_under(kills.states()[state].digest, clock); };
}

Result<Examined> examine_kills(Campaign& campaign, const KillStates& kills, const Choice& choice,
                               const ClockVariant* clock) {
  const DigestOf verdict_of = verdicts_under(kills, clock);
  if (campaign.verdicts.told())
    return told_by_shards(campaign, choice, states_of(kills), verdict_of);
  const bool live = campaign.exploration.options.live && clock == nullptr;
  Result<std::vector<Worker>> workers = make_workers(campaign, kills, choice, live);
  if (!workers) return tl::unexpected(workers.error());
  Result<Examined> examined =
      examine(choice.numbers.size(), *workers,
              campaign.examination(
                  std::string(name_of(clock == nullptr ? CrashKind::kKill : CrashKind::kClock)),
                  choice.numbers.size()));
  campaign.terminal.clear_progress();
  if (examined) remember_for_merge(choice, *examined, verdict_of, campaign);
  return examined;
}

reports::Coverage coverage_of(const Campaign& campaign, const KillStates& kills,
                              const Choice& choice, const Examined& examined) {
  reports::Coverage coverage{.crash = CrashKind::kKill,
                             .crash_points = kills.points().size(),
                             .considered = kills.points().size(),
                             .distinct = kills.states().size()};
  count_choice(campaign, choice, examined, "states", coverage);
  return coverage;
}

/// Makes the last finding one of `--crash clock`, unless an earlier clock has shown it too: then
/// null.
reports::Finding* settle_clock_finding(const ClockVariant& clock, const KillCluster& cluster,
                                       reports::ResultDocument& document) {
  reports::Finding finding = std::move(document.findings.back());
  document.findings.pop_back();
  finding.id = digest_of("clock " + cluster.key).hex().substr(0, 12);
  for (reports::Finding& known : document.findings) {
    if (known.id != finding.id) continue;
    known.models.push_back(clock.name);
    known.states += finding.states;
    return nullptr;
  }
  finding.title += fmt::format(" (with the clock {} when it is started again)", clock.name);
  finding.crash = CrashKind::kClock;
  finding.models = {clock.name};
  return &document.findings.emplace_back(std::move(finding));
}

/// Finds out, for states that hold for some time, by which print they begin to fail.
class FirstFailingPoints {
 public:
  FirstFailingPoints(Campaign& campaign, const KillStates& kills)
      : campaign_(campaign), kills_(kills) {}

  uint64_t operator()(uint32_t state) {
    constexpr int kAskedMax = 64;
    if (asked_ == kAskedMax) return 0;
    std::vector<CrashPoint> moments;
    for (const KillStates::Point& at : kills_.points()) {
      if (at.state != state) continue;
      const Operation* record = campaign_.exploration.trace.find(at.point.record);
      const bool printed = record != nullptr && record->kind == Kind::kPrint;
      if (moments.empty() || printed) moments.push_back(at.point);
    }
    size_t bad = moments.size() - 1;  // its last point, as far as promises go
    if (bad == 0) return 0;
    ++asked_;
    if (fails(moments[0])) return 0;
    size_t good = 0;
    while (bad - good > 1) {
      const size_t middle = good + (bad - good) / 2;
      (fails(moments[middle]) ? bad : good) = middle;
    }
    return moments[bad].record;
  }

 private:
  /// Where that cannot be told (an error, the time is over), the state is taken to fail all the
  /// time.
  bool fails(CrashPoint point) {
    if (campaign_.is_over()) return true;
    if (!builder_) {
      Result<StateBuilder> builder = StateBuilder::create(campaign_.exploration.trace);
      if (!builder) return true;
      builder_.emplace(std::move(*builder));
    }
    if (!builder_->move_to(point)) return true;
    const auto said =
        campaign_.panel.judges.front()->judge(StateView{.tree = &builder_->tree(),
                                                        .record = point.record,
                                                        .printed = builder_->printed(),
                                                        .events = builder_->events(),
                                                        .cut = point.cut});
    return !said || std::any_of(said->begin(), said->end(), [](const Complaint& complaint) {
      return complaint.verdict != Verdict::kSurvived;
    });
  }

  Campaign& campaign_;
  const KillStates& kills_;
  std::optional<StateBuilder> builder_;  // most runs need none
  int asked_ = 0;
};

/// Says which changes of mapped files were taken as one step.
void tell_unknown_order(const KillStates& kills, reports::ResultDocument& document) {
  const auto& files = kills.changed_at_once();
  if (files.empty()) return;
  const std::string others = files.size() == 1 ? "" : fmt::format(" and {} more", files.size() - 1);
  document.oracles.push_back(
      {"", false,
       fmt::format("kills between two stores into {}{}: what was changed through a mapping between "
                   "two system calls is taken as one step, since its order is not known",
                   *files.begin(), others)});
}

/// All states of a killed process, judged by one clock (null: the real one).
Status explore_kills(Campaign& campaign, const ClockVariant* clock) {
  const Exploration& exploration = campaign.exploration;
  const Result<KillStates> kills =
      KillStates::enumerate(exploration.trace, {.all_points = exploration.options.all_points});
  if (!kills) return tl::unexpected(kills.error());
  const Choice choice = choose(campaign, kills->states().size(), states_of(*kills));
  Result<Examined> examined = examine_kills(campaign, *kills, choice, clock);
  if (!examined) return tl::unexpected(examined.error());

  reports::Coverage coverage = coverage_of(campaign, *kills, choice, *examined);
  if (clock != nullptr) {
    coverage.crash = CrashKind::kClock;
    coverage.model = clock->name;
  }
  campaign.builder.document().coverage.push_back(std::move(coverage));
  tell_not_measured(*examined, campaign.builder.document());
  if (clock == nullptr) tell_unknown_order(*kills, campaign.builder.document());
  campaign.effects.begin(clock == nullptr ? CrashKind::kKill : CrashKind::kClock,
                         clock == nullptr ? "" : clock->name);
  std::vector<std::vector<Complaint>> complaints(kills->states().size());
  for (size_t i = 0; i < choice.numbers.size(); ++i) {
    campaign.effects.add(examined->complaints[i]);
    complaints[choice.numbers[i]] = std::move(examined->complaints[i]);
  }
  FirstFailingPoints first_failing(campaign, *kills);
  const std::vector<KillCluster> clusters = cluster_kill_states(
      exploration.trace, *kills, complaints,
      [&](uint64_t stack) { return campaign.builder.site_of(stack); },
      clock == nullptr ? FirstFailing(std::ref(first_failing)) : nullptr);
  for (const KillCluster& cluster : clusters) {
    const CrashPoint example = kills->states()[cluster.example].point;
    reports::Finding* finding =
        &campaign.builder.add_kill_finding(cluster, example, complaints[cluster.example]);
    if (clock != nullptr)
      finding = settle_clock_finding(*clock, cluster, campaign.builder.document());
    if (finding == nullptr || !campaign.wants_evidence(*finding)) continue;
    if (Status ok = campaign.evidence.add_kill(*finding, example, cluster.opener); !ok) return ok;
  }
  if (campaign.brief) return {};
  // A crash point counts as tried if its state was judged, be it at a later point.
  std::vector<bool> judged(kills->states().size());
  for (size_t i = 0; i < choice.numbers.size(); ++i)
    judged[choice.numbers[i]] = examined->judged[i];
  for (const KillStates::Point& point : kills->points()) {
    if (judged[point.state]) campaign.crashed.insert(point.point.record);
  }
  return {};
}

Status set_clock_of_all(const ClockVariant* clock, Panel& panel) {
  for (const auto& judge : panel.judges) {
    if (Status ok = set_clock(clock, *judge); !ok) return ok;
  }
  return {};
}

/// A state that survives by a clock which nobody sees would be one that nobody has judged.
void skip_clock(const ClockVariant& clock, const std::string& program,
                reports::ResultDocument& document) {
  document.coverage.push_back(
      {.crash = CrashKind::kClock,
       .model = clock.name,
       .bound = fmt::format("{} asks the kernel for the time, without libc", program)});
  tell_reasons(
      {fmt::format("starts with the clock {}: {} is built by Go, which asks the kernel for "
                   "the time and would be told the real one",
                   clock.name, program)},
      document);
}

}  // namespace

Status explore_kill(Campaign& campaign) {
  return explore_kills(campaign, nullptr);
}

Status explore_clock(Campaign& campaign) {
  const std::string blind = program_with_own_clock(campaign.exploration.trace);
  for (const ClockVariant& clock : clock_variants()) {
    if (!blind.empty() && !clock.fault.empty()) {
      skip_clock(clock, blind, campaign.builder.document());
      continue;
    }
    if (Status ok = set_clock_of_all(&clock, campaign.panel); !ok) return ok;
    // What fails by that clock without any crash says nothing about crashes.
    Status good = campaign.panel.judges.front()->check_undisturbed();
    if (good) good = explore_kills(campaign, &clock);
    const Status reset = set_clock_of_all(nullptr, campaign.panel);
    if (!good)
      return fail(good.error().kind,
                  fmt::format("with the clock {}: {}", clock.name, good.error().message));
    if (!reset) return reset;
  }
  return {};
}

}  // namespace everycrash::cli
