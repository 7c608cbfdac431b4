#include "harness/cli/document/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "harness/base/quoting.h"
#include "harness/cli/document/fault_titles.h"
#include "harness/cli/document/kill_titles.h"
#include "harness/cli/document/outside_events.h"
#include "harness/cli/document/pair_words.h"
#include "harness/cli/document/power_titles.h"
#include "harness/cli/document/real_searches.h"
#include "harness/inject/lost_syncs.h"

namespace everycrash::cli {
namespace {

constexpr size_t kLostShown = 8;  // lost operations of one finding

std::string capitalised(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

reports::StateCoordinates coordinates(const StateFacts& state) {
  return {.record = state.record,
          .cut_bytes = state.cut,
          .model = state.model,
          .tear_bytes = state.tear_bytes,
          .lost_units = {state.lost.begin(), state.lost.end()}};
}

/// Writes the names of POINTS: all of them counted, the first ones listed.
template <typename Points, typename NameOf>
void write_points(const Points& points, const NameOf& name_of_point, reports::Finding& finding) {
  finding.points_total = points.size();
  for (const auto& point : points) {
    if (finding.points.size() == reports::kPointsMax) break;
    finding.points.push_back(name_of_point(point));
  }
  if (points.empty()) return;
  finding.first_point = name_of_point(points.front());
  finding.last_point = name_of_point(points.back());
}

}  // namespace

/// What is needed to write the operations of a run that is not the recorded one.
struct FindingWriter::LaterRun {
  LaterRun(std::shared_ptr<const Trace> its_trace, std::shared_ptr<Symboliser> symboliser,
           reports::StackTable& stacks)
      : trace(std::move(its_trace)),
        names(*trace, std::move(symboliser)),
        writer(*trace, names, stacks) {}

  std::shared_ptr<const Trace> trace;
  RunNames names;
  OperationWriter writer;
};

FindingWriter::FindingWriter(OperationWriter& recorded, reports::StackTable& stacks,
                             const CampaignPlan& plan, KeptResult kept)
    : recorded_(recorded), stacks_(stacks), plan_(plan), kept_(std::move(kept)) {}

FindingWriter::~FindingWriter() = default;

OperationWriter& FindingWriter::writer_for(const RunReference& run) {
  if (run.trace == nullptr) return recorded_;
  std::unique_ptr<LaterRun>& later = later_[run.trace.get()];
  if (later == nullptr) {
    later = std::make_unique<LaterRun>(run.trace, recorded_.names().stacks().symboliser(), stacks_);
  }
  return later->writer;
}

reports::Finding FindingWriter::write(const FindingFacts& facts) {
  OperationWriter& run = writer_for(facts.run);
  reports::Finding finding{.id = facts.id,
                           .judge = name_of(facts.judge),
                           .path = facts.path,
                           .effect_fault = name_of(facts.effect_fault),
                           .complaints = facts.complaints,
                           .crash = facts.crash,
                           .models = facts.models,
                           .state = coordinates(facts.state),
                           .trace = facts.run.file.string(),
                           .continues = facts.run.continues,
                           .states = facts.states};
  std::visit([&](const auto& cause) { write_cause(cause, facts, run, finding); }, facts.cause);
  EVERYCRASH_ASSERT(!finding.title.empty());
  if (facts.crash == CrashKind::kAgain) finding.title = "In recovery: " + finding.title;
  for (const EarlierCrashFacts& earlier : facts.earlier) finding.earlier.push_back(write(earlier));
  for (const Sighting& sighting : facts.sightings) {
    finding.real_searches.push_back(search_of(sighting, plan_, kept_.trace));
  }
  tell_unsearched(plan_, finding);
  if (facts.evidence) finding.evidence = evidence_.write(*facts.evidence);
  const bool by_model = !loses_power(facts.crash) || !facts.models.empty();  // else it is real only
  if (by_model && !kept_.document.empty()) {
    finding.reproduce =
        fmt::format("everycrash replay {} {}", shell_quote(kept_.document), facts.id);
  }
  return finding;
}

void FindingWriter::write_cause(const KillFacts& kill, const FindingFacts& facts,
                                OperationWriter& run, reports::Finding& finding) const {
  const KillCluster& cluster = kill.cluster;
  finding.title = title_of(run.trace(), cluster);
  if (!kill.clock.empty()) {
    finding.title += fmt::format(" (with the clock {} when it is started again)", kill.clock);
  }
  finding.window = time_of_fault(run.trace(), cluster);
  finding.point = run.point(kill.example);
  finding.sequence = kill.example.record;
  finding.crash_operation = run.involve(kill.example.record);
  finding.cause_operation = run.involve(cluster.opener);
  if (facts.judge != Judge::kHalfFile) finding.until_operation = run.involve(cluster.closer);
  write_points(
      cluster.points, [&](CrashPoint point) { return run.point(point); }, finding);
  for (const CrashPoint& point : cluster.points) {
    if (const Operation* at = run.trace().find(point.record)) add_effects(*at, finding.effects);
  }
}

void FindingWriter::write_cause(const PowerFacts& power, const FindingFacts& facts,
                                OperationWriter& run, reports::Finding& finding) const {
  const PowerCause& cause = power.cause;
  finding.title = capitalised(title_of(run.trace(), *power.units, cause));
  finding.point = run.place(cause.point);
  finding.sequence = cause.point;
  finding.crash_operation = run.involve(run.names().named_point(cause.point).record);
  for (const uint64_t record : cause.lost_records) {
    if (finding.lost_operations.size() == kLostShown) break;
    finding.lost_operations.push_back(*run.involve(record));
  }
  finding.kept_operation = run.involve(cause.kept_record);
  if (facts.crash == CrashKind::kLostFsync) {
    finding.explanation =
        "The disk answered a sync without doing it. That is the disk's fault: "
        "a program can at best notice it afterwards.";
  } else if (has_lost_syncs(run.trace())) {
    finding.explanation =
        "In this run syncs were answered without being done, as --lose-fsync asked. "
        "On a disk that does them the state may be impossible.";
  }
  write_points(
      power.points, [&](CrashPoint point) { return run.place(point.record); }, finding);
}

void FindingWriter::write_cause(const FaultCluster& cluster, const FindingFacts& facts,
                                OperationWriter& run, reports::Finding& finding) const {
  const Operation& call = *run.trace().find(cluster.example.record);
  finding.title = title_of(call, cluster);
  finding.path = std::string(point_path(call));
  finding.effect_fault.clear();
  finding.run_end = facts.run_end;
  finding.point = cluster.example.text;
  finding.sequence = call.sequence;
  finding.crash_operation = run.involve(call);
  write_points(
      cluster.faults, [](const std::string& fault) { return fault; }, finding);
}

void FindingWriter::write_cause(const PairFacts& pair, const FindingFacts&, OperationWriter& run,
                                reports::Finding& finding) const {
  const PointNames& names = run.names().points();
  finding.title = title_of(names, pair.cause, pair.said);
  finding.schedule = schedule_of(names, run.trace(), pair.run);
  finding.serial_trace = pair.serial_file.string();
  if (pair.place) finding.point = words_of(*pair.place);
  finding.sequence = run.trace().records().size();
  finding.crash_operation = run.involve(pair.cause.stood);
  if (auto undone = run.involve(pair.cause.undone)) finding.lost_operations.push_back(*undone);
  finding.kept_operation = run.involve(pair.cause.undoes);
  write_points(
      pair.places,
      [](const std::optional<PairPlace>& place) { return place ? words_of(*place) : ""; }, finding);
  finding.first_point = finding.point;
}

void FindingWriter::write_cause(const RealFacts& real, const FindingFacts& facts,
                                OperationWriter& run, reports::Finding& finding) const {
  finding.title = fmt::format("Seen on {}, and no model that was explored has a state like it",
                              real.file_system);
  finding.complaints.resize(std::min<size_t>(finding.complaints.size(), 1));
  finding.point = run.place(real.point);
  finding.sequence = facts.state.record;
  finding.crash_operation = run.involve(run.names().named_point(real.point).record);
  write_points(
      std::vector<std::string>{finding.point}, [](const auto& point) { return point; }, finding);
}

reports::EarlierCrash FindingWriter::write(const EarlierCrashFacts& facts) {
  OperationWriter& run = writer_for(facts.run);
  const CrashPoint named =
      facts.point.whole() ? run.names().named_point(facts.point.record) : facts.point;
  return {.crash = facts.crash,
          .point = run.point(named),
          .trace = facts.run.file.string(),
          .continues = facts.run.continues,
          .state = coordinates(facts.state),
          .operation = run.involve(named.record)};
}

}  // namespace everycrash::cli
