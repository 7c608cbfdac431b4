#include "harness/campaign/concurrent_campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/campaign/choice.h"
#include "harness/campaign/host_sink.h"
#include "harness/campaign/panel.h"
#include "harness/campaign/workload.h"
#include "harness/campaign/workspace.h"
#include "harness/explain/run_names.h"
#include "harness/explore/kill_states.h"
#include "harness/explore/state_builder.h"

namespace everycrash {
namespace {

// Orders with two preemptions grow with the square of the run; without a budget, so many are tried.
constexpr uint64_t kTwoPreemptionsMax = 200;
constexpr size_t kLocksMax = 3;
// Who waits for ever for one that was killed costs a whole time limit each time.
constexpr uint64_t kEndlessMax = 2;
constexpr size_t kRemarksMax = 5;  // about orders that could not be judged

}  // namespace

ConcurrentCampaign::ConcurrentCampaign(Campaign& campaign)
    : campaign_(campaign),
      plan_(campaign.plan()),
      by_serial_(campaign.grounds().options.check.empty() &&
                 campaign.grounds().options.oracles.empty()) {
  coverage_.crash = CrashKind::kConcurrent;
}

bool ConcurrentCampaign::is_over() const {
  const bool full = share_.states && coverage_.checked >= *share_.states;
  const bool late = share_.end && std::chrono::steady_clock::now() >= *share_.end;
  return full || late || campaign_.is_over() || campaign_.ends_at_finding();
}

/// Of what --max-states and --budget leave, to the next of STARTS that are left: what a lock left
/// by a crash does to two runners shows only there.
void ConcurrentCampaign::give_share(uint64_t starts) {
  if (const uint64_t most = plan_.states_max.value_or(0); most != 0) {
    const uint64_t left = most - std::min(most, coverage_.checked);
    share_.states = coverage_.checked + (left + starts - 1) / starts;
  }
  if (campaign_.deadline) {
    const auto now = std::chrono::steady_clock::now();
    share_.end = now + (*campaign_.deadline - now) / static_cast<int64_t>(starts);
  }
}

Status ConcurrentCampaign::run() {
  Result<RecordOptions> record = campaign_.recorder("");
  if (!record) return tl::unexpected(record.error());
  record->grace = std::chrono::milliseconds(100);
  record->before_start = nullptr;  // the receiver remembers what was done before: try_out()
  const std::filesystem::path folder = campaign_.input.workspace.path() / "pairs";
  std::error_code error;
  std::filesystem::create_directory(folder, error);
  Result<std::unique_ptr<TwoRunners>> runners = TwoRunners::create(std::move(*record), folder);
  if (!runners) return tl::unexpected(runners.error());
  runners_ = std::move(*runners);
  const Result<std::vector<Start>> found = starts();
  if (!found) return tl::unexpected(found.error());
  campaign_.facts.effects.begin(CrashKind::kConcurrent, "");
  Status done;
  for (size_t i = 0; i < found->size() && done; ++i) {
    give_share(found->size() - i);
    if (is_over()) {
      ++starts_left_;
    } else {
      done = explore((*found)[i]);
    }
  }
  campaign_.input.progress.end();
  const Status restored = runners_->restore(campaign_.grounds().history.final_tree());
  if (!done && !(campaign_.input.stop() && done.error().kind == ErrorKind::kInterrupted))
    return done;
  finish();
  return restored;
}

/// The state directory as it was; and, for each lock that a crash may leave, one that has it.
Result<std::vector<ConcurrentCampaign::Start>> ConcurrentCampaign::starts() const {
  const Trace& trace = campaign_.trace();
  Result<FileSystem> initial = FileSystem::initial(trace);
  if (!initial) return tl::unexpected(initial.error());
  std::vector<Start> starts;
  const FoundEffects& effects = campaign_.grounds().effects;
  starts.push_back({std::move(*initial), "", "", effects.sink_before, {}, ""});
  const TemporaryNames& temporary = campaign_.grounds().history.temporary();
  std::map<std::string, uint64_t> held;  // lock -> the record that made it
  for (const Operation& record : trace.records()) {
    if (record.failed()) continue;
    const std::string path(made_name(record));
    if (may_take_lock(record) && temporary.contains(path)) held.try_emplace(path, record.sequence);
    // Once it holds what it is meant to hold: when its maker turns to something else.
    for (auto& [lock, since] : held) {
      const bool own = lock == path || lock == record.other_path || !is_gated(record);
      if (own || since == 0 || starts.size() > kLocksMax) continue;
      since = 0;
      const CrashPoint point{record.sequence - 1, -1};
      Result<StateBuilder> builder = StateBuilder::create(trace);
      if (!builder) return tl::unexpected(builder.error());
      if (Status ok = builder->move_to(point); !ok) return tl::unexpected(ok.error());
      starts.push_back({builder->tree(), builder->printed(), builder->events(),
                        sink_memory_at(effects, point.record), point, lock});
    }
  }
  return starts;
}

Result<ConcurrentCampaign::Judged> ConcurrentCampaign::try_out(const Start& start,
                                                               const Serial* serial,
                                                               const TurnSchedule& schedule) {
  if (const auto& host = campaign_.input.workload.sink) host->sink->become(start.sink);
  Result<PairRun> run = runners_->run(schedule);
  if (!run) return tl::unexpected(run.error());
  Result<Trace> trace = Trace::open(run->trace_file);
  if (!trace) return tl::unexpected(trace.error());
  FoundEffects effects = mark_effects(campaign_.grounds().options.effects, *trace, &start.sink);
  Judged judged{
      std::move(*run), std::make_shared<const Trace>(std::move(*trace)), std::move(effects), {}};
  const auto not_measured = [&judged](const std::string& why) {
    judged.complaints = {
        {.verdict = Verdict::kNotMeasured, .message = why, .wrong = Wrong::kUnusable}};
  };
  if (!judged.run.unusable.empty()) {
    not_measured(judged.run.unusable);
    return judged;
  }
  if (Status whole = check_complete(*judged.trace); !whole) {
    not_measured(whole.error().message);
    return judged;
  }
  if (Status same = check_against_disk(*judged.trace, campaign_.input.workload.state_directory);
      !same) {
    not_measured(same.error().message);
    return judged;
  }
  const Result<History> history = History::of(*judged.trace);
  if (!history) return tl::unexpected(history.error());
  Result<std::vector<Complaint>> complaints = judge(start, judged, *history, serial);
  if (!complaints) return tl::unexpected(complaints.error());
  judged.complaints = std::move(*complaints);
  if (schedule.kill_first && worst_of(judged.complaints) == Verdict::kViolated) {
    const Result<bool> known = fails_alone(start, judged);
    if (!known) return tl::unexpected(known.error());
    if (*known)
      not_measured(
          "what fails where the first one is killed fails without a second one "
          "too: --crash kill tells it");
  }
  return judged;
}

/// True if the first runner alone, killed where it stood, leaves what fails in the same way.
Result<bool> ConcurrentCampaign::fails_alone(const Start& start, const Judged& judged) {
  Result<StateBuilder> stood = StateBuilder::create(*judged.trace);
  if (!stood) return tl::unexpected(stood.error());
  const uint64_t record = judged.run.turns.front().next_record - 1;
  if (Status ok = stood->move_to({record, -1}); !ok) return tl::unexpected(ok.error());
  const std::string printed = start.printed + stood->printed();
  const std::string events = start.events + stood->events();
  const Result<std::vector<Complaint>> alone =
      campaign_.panel().seats.front()->judge({.tree = &stood->tree(),
                                              .record = record,
                                              .printed = printed,
                                              .events = events,
                                              .effects = &judged.effects});
  if (!alone) return tl::unexpected(alone.error());
  return std::any_of(alone->begin(), alone->end(), [&](const Complaint& complaint) {
    return std::any_of(
        judged.complaints.begin(), judged.complaints.end(), [&](const Complaint& said) {
          return is_violation(said) && complaint.judge == said.judge && complaint.path == said.path;
        });
  });
}

Result<std::vector<Complaint>> ConcurrentCampaign::judge(const Start& start, const Judged& judged,
                                                         const History& history,
                                                         const Serial* serial) {
  const Result<StateBuilder> end = StateBuilder::at_end(*judged.trace);
  if (!end) return tl::unexpected(end.error());
  const Result<Promises> promises =
      Promises::find(history, campaign_.grounds().options.acknowledgement);
  if (!promises) return tl::unexpected(promises.error());
  const std::string printed = start.printed + end->printed();
  const std::string events = start.events + end->events();
  ends_.insert(end->tree().digest());
  Result<std::vector<Complaint>> complaints =
      campaign_.panel().seats.front()->judge({.tree = &end->tree(),
                                              .printed = printed,
                                              .events = events,
                                              .history = &history,
                                              .promises = &*promises,
                                              .effects = &judged.effects,
                                              .printed_before = start.printed.size()});
  if (!complaints || serial == nullptr) return complaints;
  std::vector<Complaint> faults = find_serial_faults(serial->runs, *judged.trace, history);
  std::move(faults.begin(), faults.end(), std::back_inserter(*complaints));
  return complaints;
}

/// Two runs one after the other, twice; nothing if START is not one that two can start from.
Result<std::optional<ConcurrentCampaign::Serial>> ConcurrentCampaign::measure(const Start& start) {
  const TurnSchedule serial{.turns = {{0, RunnerGroup::kAll}, {1, RunnerGroup::kAll}}};
  const auto refuse = [&](const std::string& why) -> Result<std::optional<Serial>> {
    if (start.crash) {
      remarks_.emplace_back(UnusableStart{start.lock, why});
      return std::nullopt;
    }
    return harness_error(
        fmt::format("two runs, one after the other, are rejected: {}\nNothing can "
                    "be said of two at once before that is right.",
                    why));
  };
  Result<Judged> first = try_out(start, nullptr, serial);
  if (!first) return tl::unexpected(first.error());
  if (!first->complaints.empty()) return refuse(first->complaints.front().message);
  const auto* exited = std::get_if<Exited>(&first->run.ends[0]);
  if (exited == nullptr || exited->code != 0) {
    return refuse("the workload does not run on it: " + describe(first->run.ends[0]));
  }
  const Result<Judged> second = try_out(start, nullptr, serial);
  if (!second) return tl::unexpected(second.error());
  Result<History> both = History::of(*first->trace);
  const Result<History> again = History::of(*second->trace);
  if (!both) return tl::unexpected(both.error());
  if (!again) return tl::unexpected(again.error());
  std::filesystem::remove(second->run.trace_file);
  return Serial{compare_serial_runs(campaign_.grounds().history, std::move(*both), *again,
                                    campaign_.grounds().options.ignore),
                first->run.trace_file,
                find_steps(*first->trace, campaign_.grounds().history.temporary())};
}

Status ConcurrentCampaign::explore(const Start& start) {
  runners_->start_from(start.tree, start.printed, start.events, start.crash.has_value());
  Result<std::optional<Serial>> measured = measure(start);
  if (!measured) return tl::unexpected(measured.error());
  if (!*measured) return {};
  const Serial& serial = **measured;
  if (by_serial_ && !start.crash) {
    for (const std::string& path : serial.runs.varying) {
      remarks_.emplace_back(VariesSerially{path});
    }
  }
  const std::vector<TurnSchedule> one = orders_with_one(serial.steps);
  const bool two = plan_.preemptions >= 2;
  coverage_.crash_points += serial.steps.count(0);
  one_of_ += one.size();
  two_of_ += two ? count_orders_with_two(serial.steps) : 0;
  if (plan_.budget || plan_.states_max) {
    const LikeliestOptions both{.one = true, .two = two, .seed = plan_.seed};
    return explore_schedules(start, serial, likeliest_orders(serial.steps, both));
  }
  if (Status ok = explore_schedules(start, serial, one); !ok || !two) return ok;
  return explore_schedules(
      start, serial,
      likeliest_orders(serial.steps,
                       {.two = true, .seed = plan_.seed, .most = kTwoPreemptionsMax}));
}

Status ConcurrentCampaign::explore_schedules(const Start& start, const Serial& serial,
                                             const std::vector<TurnSchedule>& schedules) {
  uint64_t done = 0;
  for (const TurnSchedule& schedule : schedules) {
    if (is_over()) return {};
    if (schedule.kill_first && endless_ >= kEndlessMax) {
      ++one_;
      count_verdict(Verdict::kNotMeasured, coverage_);
      continue;
    }
    // One that is killed leaves a crash state, which no serial run can be held against.
    const bool compared = by_serial_ && !schedule.kill_first;
    Result<Judged> judged = try_out(start, compared ? &serial : nullptr, schedule);
    if (!judged) return tl::unexpected(judged.error());
    const bool two = !schedule.kill_first && schedule.turns.size() > 2;
    ++(two ? two_ : one_);
    if (schedule.kill_first && !judged->run.unusable.empty()) ++endless_;
    if (Status ok = take(start, serial, *judged); !ok) return ok;
    campaign_.input.progress.ran_pair(two ? 2 : 1, ++done, schedules.size(), coverage_.violated);
  }
  return {};
}

Status ConcurrentCampaign::take(const Start& start, const Serial& serial, const Judged& judged) {
  const Verdict verdict = worst_of(judged.complaints);
  count_verdict(verdict, coverage_);
  campaign_.facts.effects.add(judged.complaints);
  if (verdict == Verdict::kHarnessBroken) return harness_error(judged.complaints.front().message);
  if (verdict == Verdict::kNotMeasured && remarks_.size() < kRemarksMax) {
    const std::string& why = judged.complaints.front().message;
    std::string line = why.substr(0, why.find('\n'));
    if (unjudged_.insert(line).second) remarks_.emplace_back(UnjudgedOrder{std::move(line)});
  }
  const size_t before = findings_.size();
  if (verdict == Verdict::kViolated) {
    add_finding(start, serial, judged, *first_violation(judged.complaints));
  }
  // The mapping outlives the file, so what was found of it is still good.
  if (findings_.size() == before) std::filesystem::remove(judged.run.trace_file);
  return {};
}

void ConcurrentCampaign::add_finding(const Start& start, const Serial& serial, const Judged& judged,
                                     const Complaint& said) {
  const RunNames names(*judged.trace, campaign_.input.names.stacks().symboliser());
  const auto site_of = [&names](uint64_t stack) { return names.site_of(stack); };
  PairCause cause = find_pair_cause(*judged.trace, judged.run, said, names.points(), site_of);
  std::vector<FindingFacts>& all = campaign_.facts.findings;
  const std::string id = cause.id();
  const std::vector<TurnTaken>& turns = judged.run.turns;
  std::optional<PairPlace> place;
  if (!turns.empty()) {
    place =
        place_of(names.points(), *judged.trace, turns.front().runner, turns.front().next_record);
  }
  const auto known = findings_.find(id);
  if (known == findings_.end()) {
    FindingFacts finding{.id = id,
                         .crash = CrashKind::kConcurrent,
                         .run = {judged.trace, judged.run.trace_file},
                         .cause = PairFacts{.cause = std::move(cause),
                                            .run = judged.run,
                                            .said = said,
                                            .serial_file = by_serial_ ? serial.file : "",
                                            .places = {},
                                            .place = place},
                         .state = {.record = judged.trace->records().size()}};
    finding.blame(judged.complaints);
    if (start.crash) {
      finding.earlier.push_back({.crash = CrashKind::kKill,
                                 .point = *start.crash,
                                 .state = {.record = start.crash->record}});
    }
    findings_[id] = all.size();
    all.push_back(std::move(finding));
  }
  FindingFacts& finding = all[findings_[id]];
  ++finding.states;
  auto& places = std::get<PairFacts>(finding.cause).places;
  if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
}

void ConcurrentCampaign::finish() {
  CampaignFacts& facts = campaign_.facts;
  coverage_.considered = one_of_ + two_of_;
  coverage_.distinct = ends_.size();
  coverage_.skipped_by_budget = one_of_ - one_;
  coverage_.exhaustive = one_ == one_of_ && two_ == two_of_ && starts_left_ == 0;
  coverage_.bounds.emplace_back(Orders{one_, one_of_, two_, two_of_, starts_left_});
  facts.coverage.push_back(coverage_);
  std::move(remarks_.begin(), remarks_.end(), std::back_inserter(facts.gaps));
  if (endless_ >= kEndlessMax) facts.gaps.emplace_back(WaitsForKilled{});
  facts.compared_serially = by_serial_;
}

}  // namespace everycrash
