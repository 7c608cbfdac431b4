#include "harness/campaign/kill_campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "harness/base/digest.h"
#include "harness/campaign/choice.h"
#include "harness/campaign/lent_judge.h"
#include "harness/campaign/live_judgement.h"
#include "harness/campaign/panel.h"
#include "harness/campaign/seat.h"
#include "harness/campaign/workspace.h"
#include "harness/check/kill_state_maker.h"
#include "harness/explore/kill_states.h"
#include "harness/inject/clock_variants.h"
#include "harness/inject/live_kill.h"
#include "harness/inject/own_clock.h"
#include "harness/trace/trace.h"

namespace everycrash {
namespace {

Result<std::unique_ptr<StateMaker>> make_rebuilder(const Campaign& campaign,
                                                   const KillStates& kills) {
  Result<StateBuilder> builder = StateBuilder::create(campaign.trace());
  if (!builder) return tl::unexpected(builder.error());
  return std::make_unique<KillStateMaker>(std::move(*builder), kills);
}

/// The worker of --live: runs share one state directory, so there is only one.
Result<Worker> make_live_worker(Campaign& campaign, const KillStates& kills, const Choice& choice) {
  Result<RecordOptions> options = campaign.recorder(campaign.input.workspace.path() / "live.trace");
  if (!options) return tl::unexpected(options.error());
  auto live = LiveStateMaker::create(campaign.trace(), kills, std::move(*options),
                                     campaign.grounds().options.effects);
  if (!live) return tl::unexpected(live.error());
  Result<std::unique_ptr<StateMaker>> rebuilder = make_rebuilder(campaign, kills);
  if (!rebuilder) return tl::unexpected(rebuilder.error());
  auto states = std::make_unique<LiveStates>(std::move(*live), std::move(*rebuilder));
  auto judgement = std::make_unique<LiveJudgement>(
      std::make_unique<LentJudge>(*campaign.panel().seats.front()), *states);
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
  for (const std::unique_ptr<Seat>& judge : campaign.panel().seats) {
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
  const bool live = campaign.plan().live && clock == nullptr;
  Result<std::vector<Worker>> workers = make_workers(campaign, kills, choice, live);
  if (!workers) return tl::unexpected(workers.error());
  const CrashKind crash = clock == nullptr ? CrashKind::kKill : CrashKind::kClock;
  Result<Examined> examined = examine(choice.numbers.size(), *workers,
                                      campaign.examination(crash, "", choice.numbers.size()));
  campaign.input.progress.end();
  if (examined) remember_for_merge(choice, *examined, verdict_of, campaign);
  return examined;
}

CoverageFacts coverage_of(const Campaign& campaign, const KillStates& kills, const Choice& choice,
                          const Examined& examined, const ClockVariant* clock) {
  CoverageFacts coverage{.crash = CrashKind::kKill,
                         .crash_points = kills.points().size(),
                         .considered = kills.points().size(),
                         .distinct = kills.states().size()};
  count_choice(campaign, choice, examined, InOrder::What::kStates, coverage);
  if (clock == nullptr) return coverage;
  coverage.crash = CrashKind::kClock;
  coverage.model = clock->name;
  return coverage;
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
      const Operation* record = campaign_.trace().find(at.point.record);
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
      Result<StateBuilder> builder = StateBuilder::create(campaign_.trace());
      if (!builder) return true;
      builder_.emplace(std::move(*builder));
    }
    if (!builder_->move_to(point)) return true;
    const auto said =
        campaign_.panel().seats.front()->judge(StateView{.tree = &builder_->tree(),
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
void tell_unknown_order(const KillStates& kills, CampaignFacts& facts) {
  const auto& files = kills.changed_at_once();
  if (files.empty()) return;
  facts.gaps.emplace_back(StoresBetweenCalls{*files.begin(), files.size() - 1});
}

std::string id_of(const KillCluster& cluster, const ClockVariant* clock) {
  return clock == nullptr ? cluster.id() : short_id_of("clock " + cluster.key);
}

/// By a clock, a finding that an earlier clock has shown too.
FindingFacts* find_known(const std::string& id, const ClockVariant* clock, CampaignFacts& facts) {
  if (clock == nullptr) return nullptr;
  const auto known = std::find_if(facts.findings.begin(), facts.findings.end(),
                                  [&id](const FindingFacts& finding) { return finding.id == id; });
  return known == facts.findings.end() ? nullptr : &*known;
}

Status add_finding(Campaign& campaign, const KillCluster& cluster, CrashPoint example,
                   const std::vector<Complaint>& complaints, const ClockVariant* clock) {
  FindingFacts finding{.id = id_of(cluster, clock),
                       .crash = clock == nullptr ? CrashKind::kKill : CrashKind::kClock,
                       .run = campaign.run,
                       .cause = KillFacts{cluster, example, clock == nullptr ? "" : clock->name},
                       .state = {.record = example.whole() ? example.record : example.record - 1},
                       .states = cluster.states.size()};
  if (!example.whole()) finding.state.cut = static_cast<uint64_t>(example.cut);
  if (clock != nullptr) finding.models = {clock->name};
  finding.blame(complaints);
  finding.judge = cluster.judge;
  finding.path = cluster.path;
  finding.effect_fault = cluster.effect_fault;
  if (FindingFacts* const known = find_known(finding.id, clock, campaign.facts)) {
    known->models.push_back(clock->name);
    known->states += finding.states;
    return {};
  }
  if (campaign.wants_evidence(finding.id)) {
    const Suspects suspects{.any = finding.effect_fault == EffectFault::kNone,
                            .path = finding.path,
                            .records = {cluster.opener, example.record}};
    Result<EvidenceFacts> evidence = campaign.evidence.of_kill(example, cluster.opener, suspects);
    if (!evidence) return tl::unexpected(evidence.error());
    finding.evidence = std::move(*evidence);
  }
  campaign.facts.findings.push_back(std::move(finding));
  return {};
}

/// A crash point counts as tried if its state was judged, be it at a later point.
void note_crashed(const KillStates& kills, const Choice& choice, const Examined& examined,
                  CampaignFacts& facts) {
  std::vector<bool> judged(kills.states().size());
  for (size_t i = 0; i < choice.numbers.size(); ++i) judged[choice.numbers[i]] = examined.judged[i];
  for (const KillStates::Point& point : kills.points()) {
    if (judged[point.state]) facts.crashed.insert(point.point.record);
  }
}

/// All states of a killed process, judged by one clock (null: the real one).
Status explore_kills(Campaign& campaign, const ClockVariant* clock) {
  const Result<KillStates> kills =
      KillStates::enumerate(campaign.trace(), {.all_points = campaign.plan().all_points});
  if (!kills) return tl::unexpected(kills.error());
  const Choice choice = choose(campaign, kills->states().size(), states_of(*kills));
  Result<Examined> examined = examine_kills(campaign, *kills, choice, clock);
  if (!examined) return tl::unexpected(examined.error());

  campaign.facts.coverage.push_back(coverage_of(campaign, *kills, choice, *examined, clock));
  campaign.tell_unjudged(reasons_of(*examined));
  if (clock == nullptr) tell_unknown_order(*kills, campaign.facts);
  campaign.facts.effects.begin(clock == nullptr ? CrashKind::kKill : CrashKind::kClock,
                               clock == nullptr ? "" : clock->name);
  std::vector<std::vector<Complaint>> complaints(kills->states().size());
  for (size_t i = 0; i < choice.numbers.size(); ++i) {
    campaign.facts.effects.add(examined->complaints[i]);
    complaints[choice.numbers[i]] = std::move(examined->complaints[i]);
  }
  FirstFailingPoints first_failing(campaign, *kills);
  const std::vector<KillCluster> clusters =
      cluster_kill_states(campaign.trace(), *kills, complaints, campaign.sites(),
                          clock == nullptr ? FirstFailing(std::ref(first_failing)) : nullptr);
  for (const KillCluster& cluster : clusters) {
    const CrashPoint example = kills->states()[cluster.example].point;
    const Status added =
        add_finding(campaign, cluster, example, complaints[cluster.example], clock);
    if (!added) return added;
  }
  if (!campaign.brief) note_crashed(*kills, choice, *examined, campaign.facts);
  return {};
}

Status set_clock_of(const ClockVariant* clock, Seat& seat) {
  return set_clock(clock, [&seat](auto name, auto value) { seat.set_for_commands(name, value); });
}

Status set_clock_of_all(const ClockVariant* clock, const Panel& panel) {
  for (const std::unique_ptr<Seat>& seat : panel.seats) {
    if (Status ok = set_clock_of(clock, *seat); !ok) return ok;
  }
  return {};
}

/// A state that survives by a clock which nobody sees would be one that nobody has judged.
void skip_clock(const ClockVariant& clock, const std::string& program, CampaignFacts& facts) {
  facts.coverage.push_back(
      {.crash = CrashKind::kClock, .model = clock.name, .bounds = {UnseenClock{program}}});
  facts.gaps.emplace_back(StartsByUnseenClock{clock.name, program});
}

}  // namespace

Status explore_kill(Campaign& campaign) {
  return explore_kills(campaign, nullptr);
}

Status explore_clock(Campaign& campaign) {
  const std::string blind = program_with_own_clock(campaign.trace());
  for (const ClockVariant& clock : clock_variants()) {
    if (!blind.empty() && !clock.fault.empty()) {
      skip_clock(clock, blind, campaign.facts);
      continue;
    }
    if (Status ok = set_clock_of_all(&clock, campaign.panel()); !ok) return ok;
    // What fails by that clock without any crash says nothing about crashes.
    Status good = campaign.panel().seats.front()->check_undisturbed();
    if (good) good = explore_kills(campaign, &clock);
    const Status reset = set_clock_of_all(nullptr, campaign.panel());
    if (!good)
      return fail(good.error().kind,
                  fmt::format("with the clock {}: {}", clock.name, good.error().message));
    if (!reset) return reset;
  }
  return {};
}

}  // namespace everycrash
