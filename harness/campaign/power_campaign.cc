#include "harness/campaign/power_campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "harness/base/digest.h"
#include "harness/campaign/choice.h"
#include "harness/campaign/lent_judge.h"
#include "harness/campaign/panel.h"
#include "harness/campaign/seat.h"
#include "harness/explain/path_pattern.h"
#include "harness/explain/run_names.h"

namespace everycrash {
namespace {

// States are handed to the workers in portions, so that memory does not grow with their number.
constexpr size_t kPortion = 2048;
// With --fail-fast a finding in the first few ends it.
constexpr size_t kPortionFailFast = 64;
// Within a budget, collecting takes no longer: large states are built slowly, and none would be
// judged in time.
constexpr std::chrono::milliseconds kCollecting{500};
// Failing states are explained when so many have come, and at the end: not at once, so that a short
// budget goes into finding, and not all at the end, so that memory does not grow with them.
constexpr size_t kWaitingMax = 4096;
// By which a failure on a real file system is known again, of each cause.
constexpr size_t kTreesMax = 20'000;

/// What states that fail alike have in common: who says so, of what kind of file, and where it is
/// none how the program failed and what it printed.
std::string symptom_of(const Complaint& complaint) {
  constexpr int32_t kNoProcess = -1;
  std::string symptom =
      fmt::format("{} {}", name_of(complaint.judge), path_pattern(complaint.path, kNoProcess));
  if (!complaint.path.empty()) return symptom;
  return symptom + fmt::format(" {} {} {}", name_of(complaint.wrong), complaint.signal,
                               path_pattern(complaint.said, kNoProcess));
}

/// The first crash point at which STATE is legal: right after the last operation of which it holds
/// something.
uint64_t first_point_of(const PowerState& state, const UnitHistory& history) {
  UnitId end = history.units_until(state.point.record);
  for (auto lost = state.lost.rbegin(); lost != state.lost.rend() && *lost + 1 == end; ++lost)
    --end;
  return end == 0 ? 0 : history.unit(end - 1).record;
}

}  // namespace

PowerCampaign::PowerCampaign(Campaign& campaign, PowerExplorer& explorer)
    : campaign_(campaign),
      explorer_(explorer),
      noted_(campaign.plan().prints_are_promises),
      outputs_(campaign.trace()),
      builder_(campaign.trace(), explorer.history()),
      clusters_(campaign.trace(), explorer.history(), campaign.sites()) {
  for (const std::unique_ptr<Seat>& judge : campaign.panel().seats) {
    auto maker =
        std::make_unique<PowerStateMaker>(campaign.trace(), explorer.history(), outputs_, portion_);
    workers_.push_back({std::make_unique<ChosenStates>(std::move(maker), new_),
                        std::make_unique<LentJudge>(*judge, campaign.watch)});
  }
}

Status PowerCampaign::run(CrashKind crash, const std::string& model) {
  while (take_portion()) {
    const Result<bool> whole = judge_portion(crash, model);
    if (!whole) return tl::unexpected(whole.error());
    if (!*whole) break;  // the time is over
    if (ends_at_failure()) break;
    if (waiting_.size() < kWaitingMax) continue;
    if (Status ok = explain_waiting(); !ok) return ok;
  }
  campaign_.input.progress.end();
  coverage_.skipped_by_shard = explorer_.coverage().distinct - taken_;
  return explain_waiting();
}

/// What separates verdicts: the tree, how much had been promised and done by then, and what judges
/// take from the moment.
Digest PowerCampaign::key_of(const Digest& tree, uint64_t record) const {
  return digest_of_words(
      std::array{tree.low, tree.high, uint64_t{outputs_.printed_until(record).size()},
                 uint64_t{outputs_.events_until(record).size()}, uint64_t{outputs_.is_over(record)},
                 campaign_.stages.of(record)});
}

/// --fail-fast: one failing state is all that is wanted.
bool PowerCampaign::ends_at_failure() const {
  return campaign_.plan().fail_fast && !waiting_.empty();
}

/// True if collecting since BEGAN has used up what a budget allows for a portion.
bool PowerCampaign::is_late(std::chrono::steady_clock::time_point began) const {
  return campaign_.deadline && !portion_.empty() &&
         std::chrono::steady_clock::now() - began >= kCollecting;
}

/// Takes the next states, and looks up which of them were judged already, under another model.
bool PowerCampaign::take_portion() {
  portion_.clear();
  known_.clear();
  new_.clear();
  const auto began = std::chrono::steady_clock::now();
  const size_t size = campaign_.plan().fail_fast ? kPortionFailFast : kPortion;
  while (portion_.size() < size && !campaign_.is_over() && !is_late(began)) {
    std::optional<PowerState> state = explorer_.next();
    if (!state) break;
    ++taken_;
    const std::vector<Complaint>* known =
        campaign_.verdicts.find(key_of(state->tree, state->point.record), state->tree.high);
    if (known == nullptr && campaign_.verdicts.told()) {
      ++coverage_.skipped_by_budget;  // of the shard that it belonged to
      continue;
    }
    if (known == nullptr) new_.push_back(static_cast<uint32_t>(portion_.size()));
    known_.push_back(known != nullptr ? *known : std::vector<Complaint>());
    portion_.push_back(std::move(*state));
  }
  return !portion_.empty();
}

/// Judges what is new in the portion, then notes all of it in its order, so that nothing depends on
/// what was known. False if the time was over before its end.
Result<bool> PowerCampaign::judge_portion(CrashKind crash, const std::string& model) {
  const size_t before = coverage_.checked;
  ExaminationOptions options = campaign_.examination(crash, model, 0);
  if (options.progress) {
    options.progress = [shown = options.progress, before](size_t done, size_t violated) {
      shown(before + done, violated);
    };
  }
  Result<Examined> examined = examine(new_.size(), workers_, options);
  if (!examined) return tl::unexpected(examined.error());
  size_t next_new = 0;
  for (uint32_t i = 0; i < portion_.size(); ++i) {
    const bool is_new = next_new < new_.size() && new_[next_new] == i;
    const size_t number = is_new ? next_new++ : 0;
    if (ends_at_failure()) {
      ++coverage_.skipped_by_budget;
      continue;
    }
    if (!is_new) {
      note(portion_[i], known_[i]);
      continue;
    }
    if (!examined->judged[number]) {
      ++coverage_.skipped_by_budget;
      continue;
    }
    campaign_.verdicts.remember(key_of(portion_[i].tree, portion_[i].point.record),
                                examined->complaints[number]);
    note(portion_[i], examined->complaints[number]);
  }
  return examined->count_judged() == new_.size();
}

void PowerCampaign::note(const PowerState& state, const std::vector<Complaint>& complaints) {
  // It stands for all crash points from the first to the last at which it is legal.
  campaign_.facts.crashed.insert(state.point.record);
  campaign_.facts.crashed.insert(first_point_of(state, explorer_.history()));
  noted_.note(complaints);
  campaign_.facts.effects.add(complaints);
  std::vector<Complaint> held = noted_.held_against(complaints);
  add_reasons(held, not_measured_);
  count_verdict(worst_of(held), coverage_);
  if (worst_of(held) == Verdict::kViolated) waiting_.push_back({state, std::move(held)});
}

/// What is held against the state right after RECORD without LOST, for explaining.
Result<std::vector<Complaint>> PowerCampaign::complaints_at(uint64_t record,
                                                            const std::vector<UnitId>& lost) {
  // What is not known any more is taken as survived: the cause found is only less small.
  if (campaign_.input.stop()) return std::vector<Complaint>{};
  const Result<const FileSystem*> tree = builder_.build(record, lost);
  if (!tree) return tl::unexpected(tree.error());
  const Digest key = key_of((*tree)->digest(), record);
  if (const std::vector<Complaint>* known = campaign_.verdicts.find(key)) {
    return noted_.held_against(*known);
  }
  const Result<std::vector<Complaint>> complaints =
      workers_.front().judgement->judge({.tree = *tree,
                                         .record = record,
                                         .printed = outputs_.printed_until(record),
                                         .events = outputs_.events_until(record),
                                         .lost = &lost});
  if (!complaints && campaign_.input.stop()) return std::vector<Complaint>{};
  if (!complaints) return tl::unexpected(complaints.error());
  campaign_.verdicts.remember(key, *complaints);
  return noted_.held_against(*complaints);
}

/// True if that state fails for the same reason as one against which SAID was said: a smaller state
/// that fails for another would have the cause of another fault.
Result<bool> PowerCampaign::fails_alike(uint64_t record, const std::vector<UnitId>& lost,
                                        const Complaint& said) {
  const Result<std::vector<Complaint>> complaints = complaints_at(record, lost);
  if (!complaints) return tl::unexpected(complaints.error());
  return std::any_of(complaints->begin(), complaints->end(), [&said](const Complaint& complaint) {
    return is_violation(complaint) && complaint.judge == said.judge && complaint.path == said.path;
  });
}

Status PowerCampaign::explain_waiting() {
  for (Failure& failure : waiting_) {
    const Complaint& said = *first_violation(failure.complaints);
    const Result<size_t> cluster =
        clusters_.add(failures_++, failure.state, symptom_of(said),
                      [&](uint64_t record, const std::vector<UnitId>& lost) {
                        return fails_alike(record, lost, said);
                      });
    if (!cluster) return tl::unexpected(cluster.error());
    if (*cluster == gathered_.size()) {
      gathered_.push_back({std::move(failure.complaints), {}, {}});
    }
    gathered_[*cluster].points.insert(failure.state.point);
    if (gathered_[*cluster].trees.size() < kTreesMax) {
      gathered_[*cluster].trees.push_back(failure.state.tree);
    }
  }
  waiting_.clear();
  return {};
}

Status PowerCampaign::report(CrashKind crash, const PowerOptions& options) {
  campaign_.tell_unjudged(not_measured_);
  std::vector<PowerCluster> causes = clusters_.clusters();
  const std::vector<size_t> owners = clusters_.owners();
  for (size_t i = 0; i < causes.size(); ++i) {
    if (owners[i] == i) continue;
    std::vector<uint32_t>& states = causes[owners[i]].states;
    states.insert(states.end(), causes[i].states.begin(), causes[i].states.end());
    gathered_[owners[i]].points.merge(gathered_[i].points);
  }
  for (size_t i = 0; i < causes.size(); ++i) {
    for (const Digest& tree : gathered_[i].trees) {
      campaign_.causes.try_emplace(tree, causes[owners[i]].cause.id());
    }
    if (owners[i] != i) continue;
    const Status added =
        add_finding(causes[i].cause, gathered_[i], causes[i].states.size(), options, crash);
    if (!added) return added;
  }
  if (noted_.states() > 0) {
    campaign_.facts.belied.push_back(
        {crash, std::string(options.model->name), noted_.first(), noted_.states()});
  }
  return {};
}

/// A finding, or one more model of the finding that has the same cause.
Status PowerCampaign::add_finding(const PowerCause& cause, Gathered& gathered, uint64_t states,
                                  const PowerOptions& options, CrashKind crash) {
  const std::string model(options.model->name);
  // What is said of the example that is shown, not of the state that led to it.
  Result<std::vector<Complaint>> said = complaints_at(cause.point, cause.lost);
  if (!said) return tl::unexpected(said.error());
  const std::string id = cause.id();
  for (FindingFacts& known : campaign_.facts.findings) {
    if (known.id != id || known.crash != crash) continue;
    known.models.push_back(model);
    known.states += states;
    return {};
  }
  FindingFacts finding{.id = id,
                       .crash = crash,
                       .models = {model},
                       .run = campaign_.run,
                       .cause = PowerFacts{cause,
                                           explorer_.shared_history(),
                                           {gathered.points.begin(), gathered.points.end()}},
                       .state = {.record = cause.point,
                                 .model = model,
                                 .tear_bytes = static_cast<uint64_t>(options.tear_bytes),
                                 .lost = cause.lost},
                       .states = states};
  finding.blame(said->empty() ? gathered.complaints : *said);
  if (campaign_.wants_evidence(id)) {
    Result<EvidenceFacts> evidence = evidence_of(finding, cause);
    if (!evidence) return tl::unexpected(evidence.error());
    finding.evidence = std::move(*evidence);
  }
  campaign_.facts.findings.push_back(std::move(finding));
  return {};
}

Result<EvidenceFacts> PowerCampaign::evidence_of(const FindingFacts& finding,
                                                 const PowerCause& cause) {
  constexpr size_t kLostShown = 8;  // operations of one finding that may tell the broken file
  const Result<const FileSystem*> crashed = builder_.build(cause.point, cause.lost);
  if (!crashed) return tl::unexpected(crashed.error());
  Suspects suspects{.any = finding.effect_fault == EffectFault::kNone, .path = finding.path};
  suspects.records = {cause.kept_record};
  for (const uint64_t lost : cause.lost_records) {
    if (suspects.records.size() <= kLostShown) suspects.records.push_back(lost);
  }
  suspects.records.push_back(campaign_.input.names.named_point(cause.point).record);
  return campaign_.evidence.of_power(
      {explorer_.history(), cause.point, cause.lost, **crashed, cause.kept_record}, suspects);
}

}  // namespace everycrash
