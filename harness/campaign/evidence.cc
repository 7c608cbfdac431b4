#include "harness/campaign/evidence.h"

#include "harness/campaign/seat.h"
#include "harness/check/examination.h"
#include "harness/check/history.h"
#include "harness/explore/state_builder.h"
#include "harness/model/unit.h"
#include "harness/trace/trace.h"

namespace everycrash {
namespace {

constexpr size_t kPrintedBytes = 600;
constexpr size_t kLostPartsMax = 4;  // of one operation

/// What LOST is, an operation at a time.
std::vector<LostPartFacts> lost_parts(const UnitHistory& units, const Trace& trace,
                                      const std::vector<UnitId>& lost) {
  std::vector<LostPartFacts> parts;
  for (const UnitId unit : lost) {
    const uint64_t record = units.unit(unit).record;
    if (parts.empty() || parts.back().sequence != record) {
      const auto [first, end] = units.units_of(record);
      parts.push_back({.sequence = record, .units = end - first});
    }
    LostPartFacts& part = parts.back();
    ++part.units_lost;
    if (part.what.size() < kLostPartsMax) part.what.push_back(units.describe(unit, trace));
  }
  return parts;
}

/// The file that a finding is about, as far as can be told; "" if it is about none. It should be
/// one that the crash changed.
std::string broken_file(const Suspects& suspects, const Trace& trace, const FileSystem& before,
                        const FileSystem& crashed) {
  if (!suspects.any) return "";
  if (!suspects.path.empty()) return suspects.path;
  std::vector<std::string> candidates;
  for (const uint64_t record : suspects.records) {
    const Operation* operation = trace.find(record);
    if (operation == nullptr || !is_operation(operation->kind)) continue;
    candidates.emplace_back(operation->other_path);
    candidates.emplace_back(operation->path);
  }
  std::string second_best;
  for (const std::string& path : candidates) {
    const NodeId then = before.find(path);
    const NodeId now = crashed.find(path);
    const bool was = then != kNoNode && before.node(then).is_file();
    const bool is = now != kNoNode && crashed.node(now).is_file();
    if (path.empty() || (!was && !is)) continue;
    if (was != is || content_of(before.node(then)) != content_of(crashed.node(now))) return path;
    if (second_best.empty()) second_best = path;
  }
  return second_best;
}

std::string end_of(std::string_view printed) {
  if (printed.size() > kPrintedBytes) printed.remove_prefix(printed.size() - kPrintedBytes);
  return std::string(printed);
}

}  // namespace

EvidenceCollector::EvidenceCollector(const Trace& trace, const History& history, Seat& judge,
                                     Stop stop)
    : trace_(trace),
      history_(history),
      judge_(judge),
      stop_(stop),
      budget_(std::make_shared<EvidenceBudget>()) {}

EvidenceCollector::EvidenceCollector(EvidenceCollector&&) noexcept = default;
EvidenceCollector::~EvidenceCollector() = default;

EvidenceCollector EvidenceCollector::of_later_run(LaterRun run) const {
  EvidenceCollector collector(run.trace, run.history, judge_, stop_);
  collector.budget_ = budget_;
  collector.printed_before_ = std::move(run.printed);
  collector.events_before_ = std::move(run.events);
  return collector;
}

/// Takes RECORDS off what may be walked; false, and EVIDENCE says so, if that is used up.
bool EvidenceCollector::may_spend(uint64_t records, EvidenceFacts& evidence) {
  if (records <= budget_->records) {
    budget_->records -= records;
    return true;
  }
  evidence.left_out = EvidenceFacts::LeftOut::kTrees;
  return false;
}

Result<Moment> EvidenceCollector::tree_after(uint64_t record) {
  if (builder_ == nullptr) {
    Result<StateBuilder> builder = StateBuilder::create(trace_);
    if (!builder) return tl::unexpected(builder.error());
    builder_ = std::make_unique<StateBuilder>(std::move(*builder));
  }
  if (Status ok = builder_->move_to({record, -1}); !ok) return tl::unexpected(ok.error());
  return Moment{record, builder_->tree()};
}

/// PATH as it was whole again after RECORD: at its next version, or when it was next closed or
/// replaced.
Result<std::optional<Moment>> EvidenceCollector::next_version(const std::string& path,
                                                              uint64_t record) {
  std::optional<uint64_t> next;
  const auto known = history_.judged().find(path);
  if (known != history_.judged().end()) {
    for (const Version& version : known->second.versions) {
      if (version.since >= record && version.content && !next) next = version.since;
    }
  }
  for (const Operation& operation : trace_.records()) {
    if (next) break;
    if (operation.sequence < record || operation.failed()) continue;
    const bool closed = operation.kind == Kind::kClose && operation.path == path;
    const bool replaced = operation.kind == Kind::kRename && operation.other_path == path;
    if (closed || replaced) next = operation.sequence;
  }
  if (!next) return std::optional<Moment>();
  Result<Moment> moment = tree_after(*next);
  if (!moment) return tl::unexpected(moment.error());
  return std::optional<Moment>(std::move(*moment));
}

Status EvidenceCollector::add_trees(EvidenceFacts& evidence, Moment before,
                                    const StateView& crashed) {
  evidence.before = std::move(before);
  evidence.crash = *crashed.tree;
  if (budget_->runs == 0) {
    evidence.left_out = EvidenceFacts::LeftOut::kAftermath;
    return {};
  }
  --budget_->runs;
  Result<Aftermath> after = judge_.aftermath(crashed);
  if (!after && stop_()) {
    evidence.left_out = EvidenceFacts::LeftOut::kInterrupted;
    return {};
  }
  if (!after) return tl::unexpected(after.error());
  evidence.after_what = after->what;
  evidence.after = std::move(after->tree);
  if (!evidence.after && !evidence.after_what.empty()) {
    evidence.left_out = EvidenceFacts::LeftOut::kEndless;
    budget_->runs = 0;  // each one more would take as long
  }
  return {};
}

Result<EvidenceFacts> EvidenceCollector::of_kill(CrashPoint point, uint64_t opener,
                                                 const Suspects& suspects) {
  EvidenceFacts evidence;
  const uint64_t start = opener != 0 ? opener - 1 : point.record - (point.record > 0 ? 1 : 0);
  if (!may_spend(point.record + trace_.records().size() / 8, evidence)) return evidence;
  Result<Moment> old = tree_after(start);
  if (!old) return tl::unexpected(old.error());
  if (Status ok = builder_->move_to(point); !ok) return tl::unexpected(ok.error());
  const FileSystem crashed = builder_->tree();
  const std::string printed = printed_before_ + builder_->printed();
  const std::string events = events_before_ + builder_->events();
  evidence.printed = end_of(printed);
  const StateView view{
      .tree = &crashed, .record = point.record, .printed = printed, .events = events};
  if (Status ok = add_trees(evidence, *old, view); !ok) return tl::unexpected(ok.error());
  evidence.broken_file = broken_file(suspects, trace_, old->tree, crashed);
  if (evidence.broken_file.empty()) return evidence;
  Result<std::optional<Moment>> made = next_version(evidence.broken_file, point.record);
  if (!made) return tl::unexpected(made.error());
  evidence.old_file = std::move(*old);
  evidence.new_file = std::move(*made);
  return evidence;
}

Result<EvidenceFacts> EvidenceCollector::of_power(const PowerLoss& loss, const Suspects& suspects) {
  EvidenceFacts evidence;
  evidence.lost = lost_parts(loss.units, trace_, loss.lost);
  if (!may_spend(loss.record, evidence)) return evidence;
  const uint64_t first = evidence.lost.empty() ? loss.record : evidence.lost.front().sequence;
  Result<Moment> before = tree_after(loss.record);
  if (!before) return tl::unexpected(before.error());
  const std::string printed = printed_before_ + builder_->printed();
  const std::string events = events_before_ + builder_->events();
  evidence.printed = end_of(printed);
  const StateView view{
      .tree = &loss.crashed, .record = loss.record, .printed = printed, .events = events};
  if (Status ok = add_trees(evidence, *before, view); !ok) return tl::unexpected(ok.error());
  evidence.broken_file = broken_file(suspects, trace_, before->tree, loss.crashed);
  if (evidence.broken_file.empty()) return evidence;
  Result<Moment> old = tree_after(first - 1);
  if (!old) return tl::unexpected(old.error());
  // What emptied a file may have come before its content was lost.
  if (loss.kept != 0 && loss.kept < first && trace_.find(loss.kept)->path == evidence.broken_file) {
    old = tree_after(loss.kept - 1);
    if (!old) return tl::unexpected(old.error());
  }
  evidence.old_file = std::move(*old);
  evidence.new_file = std::move(*before);
  return evidence;
}

}  // namespace everycrash
