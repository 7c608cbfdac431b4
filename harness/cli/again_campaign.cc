#include "harness/cli/again_campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/base/crash_kind.h"
#include "harness/base/digest.h"
#include "harness/cli/effect_options.h"
#include "harness/cli/explorations.h"
#include "harness/cli/interrupt.h"
#include "harness/explain/path_pattern.h"
#include "harness/explore/state_builder.h"
#include "harness/inject/continued_run.h"

namespace everycrash::cli {
namespace {

// Of each recovery under each model, the likeliest states of a power loss: a run has hundreds of
// recoveries, and each of them may have thousands of states.
constexpr uint64_t kRecoveryStatesMax = 300;
constexpr size_t kReasonsShown = 3;

template <typename T>
bool contains(const std::vector<T>& list, const T& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

/// The finding that FINDING, of a recovery, is in the document.
std::string id_in_recovery(const reports::Finding& finding) {
  return digest_of("again " + finding.id).hex().substr(0, 12);
}

}  // namespace

AgainCampaign::AgainCampaign(Campaign& campaign)
    : campaign_(campaign), options_(campaign.exploration.options), watch_(options_) {
  const std::vector<CrashKind> kinds = crash_kinds_of(options_);
  const bool kill = contains(kinds, CrashKind::kKill);
  const bool power = contains(kinds, CrashKind::kPower);
  if (kill || !power) ways_.emplace_back(CrashKind::kKill, "");
  if (power || !kill) {
    for (const std::string& model : options_.models) ways_.emplace_back(CrashKind::kPower, model);
  }
}

void AgainCampaign::watch(CrashKind crash, const std::string& model) {
  if ((crash != CrashKind::kKill && crash != CrashKind::kPower) || options_.live) return;
  campaign_.watch = &watch_;
  watch_.begin(nullptr, crash, model, true);
  watched_.emplace(crash, model);
}

/// What is to be run on a crash state: the recovery command, else the workload.
Result<::everycrash::RecordOptions> AgainCampaign::recovery() const {
  const JudgeOptions& judge = campaign_.panel.grounds->options;
  Result<::everycrash::RecordOptions> record = recorder_options(
      options_, campaign_.exploration.workload, "", campaign_.exploration.workspace);
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
  if (const auto& host = campaign_.exploration.workload.sink) host->sink->become(sink);
  return runs_->run(tree, printed, events);
}

void AgainCampaign::tell(const std::string& reason) {
  if (reasons_.size() < kReasonsShown) reasons_.insert(reason.substr(0, reason.find('\n')));
}

Status AgainCampaign::run() {
  Result<::everycrash::RecordOptions> record = recovery();
  if (!record) return tl::unexpected(record.error());
  const std::filesystem::path folder = campaign_.exploration.workspace.path() / "recoveries";
  std::error_code error;
  std::filesystem::create_directory(folder, error);
  Result<std::unique_ptr<RecoveryRuns>> runs = RecoveryRuns::create(std::move(*record), folder);
  if (!runs) return tl::unexpected(runs.error());
  runs_ = std::move(*runs);
  Status done = check_undisturbed();
  if (done) done = crash_once();
  for (uint32_t depth = 1; done && !starts_.empty(); ++depth) done = crash_again(depth);
  campaign_.watch = nullptr;
  const Status restored = runs_->restore(campaign_.panel.grounds->history.final_tree());
  if (!done) return done;
  finish();
  return restored;
}

/// The workload may only be taken for its own recovery if running it on a finished state does no
/// harm; otherwise whatever is found later would be held against it for nothing.
Status AgainCampaign::check_undisturbed() {
  const Grounds& grounds = *campaign_.panel.grounds;
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
      campaign_.panel.judges.front()->judge({.tree = &end->tree(),
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
  for (const reports::Finding& finding : campaign_.builder.document().findings) {
    known_causes_.insert(finding.id);
    rejected_ += finding.states;
  }
  for (const Way& way : ways_) {
    if (watched_.contains(way)) continue;
    DocumentBuilder builder(campaign_.exploration.trace, campaign_.builder.symboliser());
    if (Status ok = explore(nullptr, campaign_.exploration.trace, way, builder, true); !ok)
      return ok;
    for (const reports::Finding& finding : builder.document().findings) {
      known_causes_.insert(finding.id);
    }
    const reports::Coverage& row = builder.document().coverage.front();
    rejected_ += row.violated;
    coverage_[way].checked += row.violated;
    coverage_[way].not_measured += row.violated;
    left_ += row.skipped_by_budget;
    if (!row.exhaustive) coverage_[way].bound = row.bound;
  }
  (void)watch_.take_new();
  starts_ = watch_.take_starts();
  // First one state of each kind of place, then a second one: a budget then goes where it finds
  // most.
  std::map<std::string, size_t> seen;
  std::vector<std::pair<size_t, size_t>> order;
  for (size_t i = 0; i < starts_.size(); ++i) {
    const ChainLink& link = *starts_[i].link;
    const CrashPoint point = campaign_.builder.named_point(link.point.record);
    const std::string place = path_pattern(campaign_.builder.names().base(point.record), 0) + " " +
                              std::string(name_of(link.crash));
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
  const bool deeper = options_.again_depth == 0 || depth < options_.again_depth;
  levels_ = depth;
  std::vector<RecoveryStart> next;
  for (size_t i = 0; i < starts_.size(); ++i) {
    if (campaign_.is_over() || campaign_.ends_at_finding()) {
      left_ += starts_.size() - i;
      break;
    }
    campaign_.terminal.progress(
        fmt::format("crash {} in a row: recovery {} of {}", depth + 1, i + 1, starts_.size()));
    const Result<std::shared_ptr<const CrashedRun>> run = recover(starts_[i]);
    if (!run && interrupted()) continue;
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
      DocumentBuilder builder(crashed->trace, campaign_.builder.symboliser());
      if (Status ok = explore(crashed, crashed->trace, way, builder, deeper); !ok) return ok;
      new_ += watch_.take_new();
      take_coverage(way, builder.document());
      take_findings(*crashed, way, builder.document());
    }
    std::vector<RecoveryStart> found = watch_.take_starts();
    const bool needed = findings_.size() > before || !found.empty();
    std::move(found.begin(), found.end(), std::back_inserter(next));
    // The mapping of a trace outlives its file.
    if (!needed) std::filesystem::remove((*run)->file);
    if (!needed && whole != nullptr) std::filesystem::remove(whole->file);
    starts_[i] = {};
  }
  campaign_.terminal.clear_progress();
  starts_ = std::move(next);
  return {};
}

/// Runs recovery on START and records it; null if nothing can be said of that recovery.
Result<std::shared_ptr<const CrashedRun>> AgainCampaign::recover(const RecoveryStart& start) {
  const Result<RecoveryRun> run = run_recovery(start.tree, start.printed, start.events, start.sink);
  if (!run) return tl::unexpected(run.error());
  if (!run->succeeded()) {
    ++unusable_;
    tell(fmt::format(
        "recovery after {}: {}",
        campaign_.builder.names().name(campaign_.builder.named_point(start.link->point.record)),
        run->unusable.empty() ? describe(run->end) : run->unusable));
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
  const Trace& first = killed == nullptr ? campaign_.exploration.trace : killed->trace;
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
  const Grounds& grounds = *campaign_.panel.grounds;
  FoundEffects effects = mark_effects(grounds.options.effects, trace, &origin.sink);
  Result<History> history = History::of(trace, grounds.history.temporary());
  if (!history) return tl::unexpected(history.error());
  // What a recovery command prints is no promise of the workload.
  const bool promises = grounds.options.recover.empty();
  Result<Promises> promised =
      Promises::find(*history, promises ? grounds.options.acknowledgement
                                        : Acknowledgement{Acknowledgement::What::kNothing, ""});
  if (!promised) return tl::unexpected(promised.error());
  return std::make_shared<const CrashedRun>(CrashedRun{std::move(origin), std::move(trace),
                                                       std::move(*history), std::move(*promised),
                                                       std::move(effects)});
}

/// The states of one run after crashes of one kind, into the document of BUILDER.
Status AgainCampaign::explore(const std::shared_ptr<const CrashedRun>& run, const Trace& trace,
                              const Way& way, DocumentBuilder& builder, bool collect) {
  TestOptions options = options_;
  options.quiet = run != nullptr;  // progress is shown for recoveries, not for each one's states
  options.live = false;
  if (run != nullptr) options.states_max = way.first == CrashKind::kPower ? kRecoveryStatesMax : 0;
  const Exploration exploration{
      options, campaign_.exploration.workload, campaign_.exploration.workspace, trace, "", ""};
  Campaign part{.exploration = exploration,
                .panel = campaign_.panel,
                .builder = builder,
                .terminal = campaign_.terminal,
                .deadline = campaign_.deadline,
                .evidence = campaign_.evidence.of_later_run(
                    {trace, run != nullptr ? run->history : campaign_.panel.grounds->history,
                     run != nullptr ? run->printed : "", run != nullptr ? run->events : ""}),
                .watch = &watch_,
                .brief = true,
                .from_record = run != nullptr ? run->begin : 0};
  part.shows = [this, recovery = run != nullptr](const reports::Finding& finding) {
    return recovery && !known_causes_.contains(finding.id) &&
           !findings_.contains(id_in_recovery(finding));
  };
  watch_.begin(run, way.first, way.second, collect);
  Status done = way.first == CrashKind::kKill ? explore_kill(part)
                                              : explore_power(part, way.first, way.second);
  if (run == nullptr) return done;  // of one crash
  campaign_.effects.begin(CrashKind::kAgain, way.second);
  campaign_.effects.absorb(part.effects);
  return done;
}

void AgainCampaign::take_coverage(const Way& way, const reports::ResultDocument& found) {
  reports::Coverage& sum = coverage_[way];
  for (const reports::Coverage& row : found.coverage) {
    sum.crash_points += row.crash_points;
    sum.considered += row.considered;
    sum.distinct += row.distinct;
    sum.checked += row.checked;
    sum.survived += row.survived;
    sum.violated += row.violated;
    sum.not_measured += row.not_measured;
    sum.skipped_by_budget += row.skipped_by_budget;
    if (!row.exhaustive && sum.bound.empty()) {
      sum.bound = fmt::format("of each recovery {}", row.bound);
    }
  }
}

void AgainCampaign::take_findings(const CrashedRun& run, const Way& way,
                                  const reports::ResultDocument& found) {
  reports::Coverage& sum = coverage_[way];
  std::vector<reports::Finding>& all = campaign_.builder.document().findings;
  for (const reports::Finding& each : found.findings) {
    if (known_causes_.contains(each.id)) {
      const uint64_t states = std::min(each.states, sum.violated);
      sum.violated -= states;
      sum.not_measured += states;
      rejected_ += states;
      continue;
    }
    const std::string id = id_in_recovery(each);
    if (const auto known = findings_.find(id); known != findings_.end()) {
      reports::Finding& finding = all[known->second];
      finding.states += each.states;
      for (const std::string& model : each.models) {
        if (!contains(finding.models, model) && !finding.models.empty())
          finding.models.push_back(model);
      }
      continue;
    }
    reports::Finding finding = campaign_.builder.adopted(found, each);
    finding.id = id;
    finding.crash = CrashKind::kAgain;
    finding.title = "In recovery: " + finding.title;
    finding.trace = run.file.string();
    finding.continues = run.continues;
    add_earlier(run, finding);
    findings_[id] = all.size();
    all.push_back(std::move(finding));
  }
}

/// The chain of crashes that led to the recovery RUN, the first one first.
void AgainCampaign::add_earlier(const CrashedRun& run, reports::Finding& finding) {
  std::vector<const ChainLink*> chain;
  for (const ChainLink* link = run.before.get(); link != nullptr;
       link = link->run == nullptr ? nullptr : link->run->before.get()) {
    chain.insert(chain.begin(), link);
  }
  for (const ChainLink* link : chain) {
    const Trace& trace = link->run == nullptr ? campaign_.exploration.trace : link->run->trace;
    DocumentBuilder builder(trace, campaign_.builder.symboliser());
    const CrashPoint named =
        link->point.whole() ? builder.named_point(link->point.record) : link->point;
    reports::Finding part;  // for its stacks alone
    reports::EarlierCrash& earlier = part.earlier.emplace_back();
    earlier.crash = link->crash;
    earlier.point = builder.names().name(named);
    if (link->run != nullptr) {
      earlier.trace = link->run->file.string();
      earlier.continues = link->run->continues;
    }
    earlier.state.record = link->point.whole() ? link->point.record : link->point.record - 1;
    if (!link->point.whole()) earlier.state.cut_bytes = static_cast<uint64_t>(link->point.cut);
    earlier.state.model = link->model;
    earlier.state.tear_bytes = options_.tear;
    earlier.state.lost_units = {link->lost.begin(), link->lost.end()};
    if (const Operation* operation = trace.find(named.record)) {
      earlier.operation = builder.involve(*operation);
    }
    part = campaign_.builder.adopted(builder.document(), std::move(part));
    finding.earlier.push_back(std::move(part.earlier.front()));
  }
}

std::string AgainCampaign::bound_of(const Way& way) const {
  const auto found = coverage_.find(way);
  std::string bound;
  const auto add = [&bound](const std::string& text) {
    bound += (bound.empty() ? "" : "; ") + text;
  };
  if (found != coverage_.end() && !found->second.bound.empty()) add(found->second.bound);
  if (watch_.deeper() > 0) {
    add(
        fmt::format("{} crashes in a row (--again-depth), which leave {} states that recovery was "
                    "not crashed on",
                    levels_ + 1, watch_.deeper()));
  }
  if (left_ + watch_.dropped() > 0) {
    add(fmt::format("{} states not recovered from, for want of time", left_ + watch_.dropped()));
  }
  return bound;
}

void AgainCampaign::finish() {
  reports::ResultDocument& document = campaign_.builder.document();
  for (const Way& way : ways_) {
    reports::Coverage row = coverage_[way];
    row.bound = bound_of(way);
    row.crash = CrashKind::kAgain;
    row.model = way.second;
    row.exhaustive = row.bound.empty() && row.skipped_by_budget == 0;
    const std::string summary = fmt::format(
        "{} recoveries crashed, {} states that one crash does not leave", recovered_, new_);
    row.bound = row.bound.empty() ? summary : fmt::format("{}; {}", summary, row.bound);
    document.coverage.push_back(std::move(row));
  }
  if (rejected_ > 0) {
    document.oracles.push_back(
        {"", false,
         fmt::format("again: {} states fail for what one crash shows already, so no second one was "
                     "tried there (--crash kill,power names them)",
                     rejected_)});
  }
  if (unusable_ == 0) return;
  document.oracles.push_back(
      {"", false,
       fmt::format("again: {} recoveries did not succeed and were not crashed", unusable_)});
  for (const std::string& reason : reasons_) document.oracles.push_back({"", false, reason});
}

}  // namespace everycrash::cli
