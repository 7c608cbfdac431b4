#include "harness/campaign/again_campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/base/digest.h"
#include "harness/campaign/host_sink.h"
#include "harness/campaign/kill_campaign.h"
#include "harness/campaign/panel.h"
#include "harness/campaign/power_campaign.h"
#include "harness/campaign/workload.h"
#include "harness/campaign/workspace.h"
#include "harness/explain/path_pattern.h"
#include "harness/explain/run_names.h"
#include "harness/explore/state_builder.h"
#include "harness/inject/continued_run.h"

namespace everycrash {
namespace {

// Of each recovery under each model, the likeliest states of a power loss: a run has hundreds of
// recoveries, and each of them may have thousands of states.
constexpr uint64_t kRecoveryStatesMax = 300;
constexpr size_t kReasonsShown = 3;

template <typename T>
bool contains(const std::vector<T>& list, const T& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

/// The id of a finding of one run, where that is a recovery.
std::string id_in_recovery(const std::string& id) {
  return short_id_of("again " + id);
}

}  // namespace

AgainCampaign::AgainCampaign(Campaign& campaign)
    : campaign_(campaign),
      plan_(campaign.plan()),
      watch_(plan_.prints_are_promises, campaign.stages) {
  const bool kill = contains(plan_.crash, CrashKind::kKill);
  const bool power = contains(plan_.crash, CrashKind::kPower);
  if (kill || !power) ways_.emplace_back(CrashKind::kKill, "");
  if (power || !kill) {
    for (const PersistenceRules* model : plan_.models)
      ways_.emplace_back(CrashKind::kPower, model->name);
  }
}

void AgainCampaign::watch(CrashKind crash, const std::string& model) {
  if ((crash != CrashKind::kKill && crash != CrashKind::kPower) || plan_.live) return;
  campaign_.watch = &watch_;
  watch_.begin(nullptr, crash, model, true);
  watched_.emplace(crash, model);
}

/// What is to be run on a crash state: the recovery command, else the workload.
Result<RecordOptions> AgainCampaign::recovery() const {
  const JudgeOptions& judge = campaign_.grounds().options;
  Result<RecordOptions> record = campaign_.recorder("");
  if (!record) return record;
  record->before_start = nullptr;  // the receiver remembers what was done before: run_recovery()
  record->timeout = std::chrono::milliseconds(judge.limit_ms);
  record->grace = std::chrono::milliseconds(100);
  if (!judge.recover.empty()) {
    record->command = judge.recover.argv;
    record->command.front() = executable_of(judge.recover);
  }
  return record;
}

/// Runs recovery on a crash state, with a receiver that remembers SINK.
Result<RecoveryRun> AgainCampaign::run_recovery(const FileSystem& tree, std::string_view printed,
                                                std::string_view events, const SinkMemory& sink) {
  if (const auto& host = campaign_.input.workload.sink) host->sink->become(sink);
  return runs_->run(tree, printed, events);
}

void AgainCampaign::tell(std::string point, const std::string& why) {
  if (reasons_.size() >= kReasonsShown) return;
  const std::string line = why.substr(0, why.find('\n'));
  reasons_.try_emplace(fmt::format("{}: {}", point, line), FailedRecovery{point, line});
}

Status AgainCampaign::run() {
  Result<RecordOptions> record = recovery();
  if (!record) return tl::unexpected(record.error());
  const std::filesystem::path folder = campaign_.input.workspace.path() / "recoveries";
  std::error_code error;
  std::filesystem::create_directory(folder, error);
  Result<std::unique_ptr<RecoveryRuns>> runs =
      campaign_.input.runs.recoveries(std::move(*record), folder);
  if (!runs) return tl::unexpected(runs.error());
  runs_ = std::move(*runs);
  Status done = check_undisturbed();
  if (done) done = crash_once();
  for (uint32_t depth = 1; done && !starts_.empty(); ++depth) done = crash_again(depth);
  campaign_.watch = nullptr;
  const Status restored = runs_->restore(campaign_.grounds().history.final_tree());
  if (!done) return done;
  finish();
  return restored;
}

/// The workload may only be taken for its own recovery if running it on a finished state does no
/// harm; otherwise whatever is found later would be held against it for nothing.
Status AgainCampaign::check_undisturbed() {
  const Grounds& grounds = campaign_.grounds();
  if (!grounds.options.recover.empty()) return {};
  constexpr const char* kAdvice =
      "\nFor --crash again there must be a recovery: give its command (--recover), or let the "
      "workload be one that can be run again.";
  const History& history = grounds.history;
  const SinkMemory sink = sink_memory_at(grounds.effects, StateView{}.record);
  const Result<RecoveryRun> run =
      run_recovery(history.final_tree(), history.printed(), history.events(), sink);
  if (!run) return tl::unexpected(run.error());
  if (!run->succeeded()) {
    return harness_error(fmt::format("the workload cannot be run again on what it left: {}{}",
                                     run->unusable.empty() ? describe(run->end) : run->unusable,
                                     kAdvice));
  }
  Result<Trace> trace = Trace::open(run->trace_file);
  if (!trace) return tl::unexpected(trace.error());
  const FoundEffects effects = mark_effects(grounds.options.effects, *trace, &sink);
  const Result<StateBuilder> end = StateBuilder::at_end(*trace);
  if (!end) return tl::unexpected(end.error());
  const Result<History> second = History::of(*trace);
  if (!second) return tl::unexpected(second.error());
  const std::string printed = history.printed() + end->printed();
  const std::string events = history.events() + end->events();
  const Result<std::vector<Complaint>> complaints =
      campaign_.panel().seats.front()->judge({.tree = &end->tree(),
                                              .printed = printed,
                                              .events = events,
                                              .history = &*second,
                                              .effects = &effects});
  if (!complaints) return tl::unexpected(complaints.error());
  if (complaints->empty()) return {};
  return harness_error(
      fmt::format("what the workload leaves when it is run again is rejected, "
                  "without any crash: {}{}",
                  complaints->front().message, kAdvice));
}

/// All states of one crash, as far as the campaign has not judged them already.
Status AgainCampaign::crash_once() {
  for (const FindingFacts& finding : campaign_.facts.findings) {
    known_causes_.insert(finding.id);
    rejected_ += finding.states;
  }
  for (const Way& way : ways_) {
    if (watched_.contains(way)) continue;
    const Result<CampaignFacts> found =
        explore(nullptr, campaign_.trace(), way, campaign_.input.names, true);
    if (!found) return tl::unexpected(found.error());
    for (const FindingFacts& finding : found->findings) known_causes_.insert(finding.id);
    const CoverageFacts& row = found->coverage.front();
    rejected_ += row.violated;
    coverage_[way].checked += row.violated;
    coverage_[way].not_measured += row.violated;
    left_ += row.skipped_by_budget;
    if (!row.exhaustive) coverage_[way].bounds = row.bounds;
  }
  (void)watch_.take_new();
  starts_ = watch_.take_starts();
  // First one state of each kind of place, then a second one: a budget then goes where it finds
  // most.
  std::map<std::string, size_t> seen;
  std::vector<std::pair<size_t, size_t>> order;
  for (size_t i = 0; i < starts_.size(); ++i) {
    const ChainLink& link = *starts_[i].link;
    const RunNames& names = campaign_.input.names;
    const std::string& base = names.points().base(names.named_point(link.point.record).record);
    const std::string place = fmt::format("{} {}", path_pattern(base, 0), name_of(link.crash));
    order.emplace_back(seen[place]++, i);
  }
  std::sort(order.begin(), order.end());
  std::vector<RecoveryStart> sorted;
  sorted.reserve(order.size());
  for (const auto& [rank, number] : order) sorted.push_back(std::move(starts_[number]));
  starts_ = std::move(sorted);
  return {};
}

/// One more crash after each chain that is known.
Status AgainCampaign::crash_again(uint32_t depth) {
  const bool deeper = plan_.again_depth == 0 || depth < plan_.again_depth;
  levels_ = depth;
  std::vector<RecoveryStart> next;
  for (size_t i = 0; i < starts_.size(); ++i) {
    if (campaign_.is_over() || campaign_.ends_at_finding()) {
      left_ += starts_.size() - i;
      break;
    }
    campaign_.input.progress.recovering(depth, i + 1, starts_.size());
    const Result<std::shared_ptr<const CrashedRun>> run = recover(starts_[i]);
    if (!run && campaign_.input.stop()) continue;
    if (!run) return tl::unexpected(run.error());
    if (*run == nullptr) continue;
    const size_t before = findings_.size();
    std::shared_ptr<const CrashedRun> whole;  // with the killed run before it
    for (const Way& way : ways_) {
      const bool unsynced =
          way.first == CrashKind::kPower && starts_[i].link->crash == CrashKind::kKill;
      if (unsynced && whole == nullptr) {
        const Result<std::shared_ptr<const CrashedRun>> joined = continued(**run);
        if (!joined) return tl::unexpected(joined.error());
        whole = *joined;
      }
      const std::shared_ptr<const CrashedRun>& crashed = unsynced ? whole : *run;
      const RunNames names(crashed->trace, campaign_.input.names.stacks().symboliser());
      Result<CampaignFacts> found = explore(crashed, crashed->trace, way, names, deeper);
      if (!found) return tl::unexpected(found.error());
      new_ += watch_.take_new();
      take_coverage(way, found->coverage);
      take_findings(*crashed, way, std::move(found->findings));
    }
    std::vector<RecoveryStart> found = watch_.take_starts();
    const bool needed = findings_.size() > before || !found.empty();
    std::move(found.begin(), found.end(), std::back_inserter(next));
    // The mapping of a trace outlives its file.
    if (!needed) std::filesystem::remove((*run)->file);
    if (!needed && whole != nullptr) std::filesystem::remove(whole->file);
    starts_[i] = {};
  }
  campaign_.input.progress.end();
  starts_ = std::move(next);
  return {};
}

/// Runs recovery on START and records it; null if nothing can be said of that recovery.
Result<std::shared_ptr<const CrashedRun>> AgainCampaign::recover(const RecoveryStart& start) {
  const Result<RecoveryRun> run = run_recovery(start.tree, start.printed, start.events, start.sink);
  if (!run) return tl::unexpected(run.error());
  if (!run->succeeded()) {
    ++unusable_;
    const RunNames& names = campaign_.input.names;
    tell(names.points().name(names.named_point(start.link->point.record)),
         run->unusable.empty() ? describe(run->end) : run->unusable);
    std::filesystem::remove(run->trace_file);
    return nullptr;
  }
  Result<Trace> trace = Trace::open(run->trace_file);
  if (!trace) return tl::unexpected(trace.error());
  ++recovered_;
  return crashed_run(std::move(*trace), {.file = run->trace_file,
                                         .printed = start.printed,
                                         .events = start.events,
                                         .sink = start.sink,
                                         .before = start.link});
}

/// The same recovery with the killed run before it: what that one had not synced can be lost too.
Result<std::shared_ptr<const CrashedRun>> AgainCampaign::continued(const CrashedRun& run) {
  const ChainLink& kill = *run.before;
  const CrashedRun* killed = kill.run.get();
  const Trace& first = killed == nullptr ? campaign_.trace() : killed->trace;
  RunOrigin origin{.file = run.file.string() + ".whole", .before = run.before, .continues = 1};
  if (killed != nullptr) {
    origin.printed = killed->printed;
    origin.events = killed->events;
    origin.sink = killed->sink;
    origin.continues += killed->continues;
  }
  Result<ContinuedRun> whole = continue_run(first, kill.point, run.trace, origin.file);
  if (!whole) return tl::unexpected(whole.error());
  origin.begin = whole->begin;
  return crashed_run(std::move(whole->trace), std::move(origin));
}

/// A run with what is found in its trace.
Result<std::shared_ptr<const CrashedRun>> AgainCampaign::crashed_run(Trace trace,
                                                                     RunOrigin origin) {
  const Grounds& grounds = campaign_.grounds();
  FoundEffects effects = mark_effects(grounds.options.effects, trace, &origin.sink);
  Result<History> history = History::of(trace, grounds.history.temporary());
  if (!history) return tl::unexpected(history.error());
  // What a recovery command prints is no promise of the workload.
  const bool promises = grounds.options.recover.empty();
  Result<Promises> promised =
      Promises::find(*history, promises ? grounds.options.acknowledgement
                                        : Acknowledgement{Acknowledgement::What::kNothing, ""});
  if (!promised) return tl::unexpected(promised.error());
  Stages stages(*history, effects);
  return std::make_shared<const CrashedRun>(CrashedRun{std::move(origin), std::move(trace),
                                                       std::move(*history), std::move(*promised),
                                                       std::move(effects), std::move(stages)});
}

Result<CampaignFacts> AgainCampaign::explore(const std::shared_ptr<const CrashedRun>& run,
                                             const Trace& trace, const Way& way,
                                             const RunNames& names, bool collect) {
  CampaignPlan plan = plan_;
  plan.live = false;
  if (run != nullptr) plan.states_max = way.first == CrashKind::kPower ? kRecoveryStatesMax : 0;
  const CampaignInput& whole = campaign_.input;
  Campaign part{.input = {plan, whole.workload, whole.workspace, trace, whole.panel, names,
                          whole.progress, whole.stop, nullptr, whole.runs},
                .evidence = campaign_.evidence.of_later_run(
                    {trace, run != nullptr ? run->history : campaign_.grounds().history,
                     run != nullptr ? run->printed : "", run != nullptr ? run->events : ""}),
                .stages = run != nullptr ? run->stages : campaign_.stages};
  part.deadline = campaign_.deadline;
  part.watch = &watch_;
  part.brief = true;
  part.silent = run != nullptr;  // progress is shown for recoveries, not for each one's states
  if (run != nullptr) {
    part.from_record = run->begin;
    part.run = {std::shared_ptr<const Trace>(run, &run->trace), run->file, run->continues};
  }
  part.shows = [this, recovery = run != nullptr](const std::string& id) {
    return recovery && !known_causes_.contains(id) && !findings_.contains(id_in_recovery(id));
  };
  watch_.begin(run, way.first, way.second, collect);
  Status done;
  if (way.first == CrashKind::kKill) {
    done = explore_kill(part);
  } else {
    const Result<const PersistenceRules*> model = find_model(way.second);
    if (!model) return tl::unexpected(model.error());
    done = explore_power(part, way.first, **model);
  }
  if (!done) return tl::unexpected(done.error());
  if (run != nullptr) {
    campaign_.facts.effects.begin(CrashKind::kAgain, way.second);
    campaign_.facts.effects.absorb(part.facts.effects);
  }
  return std::move(part.facts);
}

void AgainCampaign::take_coverage(const Way& way, const std::vector<CoverageFacts>& found) {
  CoverageFacts& sum = coverage_[way];
  for (const CoverageFacts& row : found) {
    sum.crash_points += row.crash_points;
    sum.considered += row.considered;
    sum.distinct += row.distinct;
    sum.checked += row.checked;
    sum.survived += row.survived;
    sum.violated += row.violated;
    sum.not_measured += row.not_measured;
    sum.skipped_by_budget += row.skipped_by_budget;
    if (row.exhaustive || !sum.bounds.empty() || row.bounds.empty()) continue;
    if (const auto* in_order = std::get_if<InOrder>(&row.bounds.front())) {
      sum.bounds.emplace_back(OfEachRecovery{*in_order});
    } else if (const auto* power = std::get_if<PowerBound>(&row.bounds.front())) {
      sum.bounds.emplace_back(OfEachRecovery{*power});
    }
  }
}

void AgainCampaign::take_findings(const CrashedRun& run, const Way& way,
                                  std::vector<FindingFacts> found) {
  CoverageFacts& sum = coverage_[way];
  std::vector<FindingFacts>& all = campaign_.facts.findings;
  for (FindingFacts& each : found) {
    if (known_causes_.contains(each.id)) {
      const uint64_t states = std::min(each.states, sum.violated);
      sum.violated -= states;
      sum.not_measured += states;
      rejected_ += states;
      continue;
    }
    each.id = id_in_recovery(each.id);
    if (const auto known = findings_.find(each.id); known != findings_.end()) {
      FindingFacts& finding = all[known->second];
      finding.states += each.states;
      for (const std::string& model : each.models) {
        if (!contains(finding.models, model) && !finding.models.empty())
          finding.models.push_back(model);
      }
      continue;
    }
    each.crash = CrashKind::kAgain;
    each.earlier = chain_to(run);
    findings_[each.id] = all.size();
    all.push_back(std::move(each));
  }
}

/// The chain of crashes that led to the recovery RUN, the first one first.
std::vector<EarlierCrashFacts> AgainCampaign::chain_to(const CrashedRun& run) const {
  std::vector<EarlierCrashFacts> chain;
  for (const ChainLink* link = run.before.get(); link != nullptr;
       link = link->run == nullptr ? nullptr : link->run->before.get()) {
    EarlierCrashFacts earlier{.crash = link->crash, .point = link->point};
    if (link->run != nullptr) {
      earlier.run = {std::shared_ptr<const Trace>(link->run, &link->run->trace), link->run->file,
                     link->run->continues};
    }
    earlier.state = {.record = link->point.whole() ? link->point.record : link->point.record - 1,
                     .model = link->model,
                     .tear_bytes = plan_.tear_bytes,
                     .lost = link->lost};
    if (!link->point.whole()) earlier.state.cut = static_cast<uint64_t>(link->point.cut);
    chain.insert(chain.begin(), std::move(earlier));
  }
  return chain;
}

std::vector<Bound> AgainCampaign::bounds_of(const Way& way) const {
  const auto found = coverage_.find(way);
  std::vector<Bound> bounds;
  if (found != coverage_.end()) bounds = found->second.bounds;
  if (watch_.deeper() > 0) bounds.emplace_back(DeeperChains{levels_ + 1, watch_.deeper()});
  if (const uint64_t left = left_ + watch_.dropped(); left > 0) {
    bounds.emplace_back(NotRecovered{left});
  }
  return bounds;
}

void AgainCampaign::finish() {
  CampaignFacts& facts = campaign_.facts;
  for (const Way& way : ways_) {
    CoverageFacts row = coverage_[way];
    row.bounds = bounds_of(way);
    row.crash = CrashKind::kAgain;
    row.model = way.second;
    row.exhaustive = row.bounds.empty() && row.skipped_by_budget == 0;
    row.bounds.insert(row.bounds.begin(), Recoveries{recovered_, new_});
    facts.coverage.push_back(std::move(row));
  }
  if (rejected_ > 0) facts.gaps.emplace_back(RejectedBeforeRecovery{rejected_});
  if (unusable_ == 0) return;
  facts.gaps.emplace_back(FailedRecoveries{unusable_});
  for (const auto& [text, reason] : reasons_) facts.gaps.emplace_back(reason);
}

}  // namespace everycrash
