#include "harness/cli/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "harness/cli/evidence_trees.h"
#include "harness/cli/interrupt.h"

namespace everycrash::cli {
namespace {

constexpr size_t kPrintedBytes = 600;

/// What LOST is, an operation at a time.
std::vector<reports::LostPart> lost_parts(const UnitHistory& units, const Trace& trace,
                                          const std::vector<UnitId>& lost) {
  std::vector<reports::LostPart> parts;
  for (const UnitId unit : lost) {
    const uint64_t record = units.unit(unit).record;
    if (parts.empty() || parts.back().sequence != record) {
      const auto [first, end] = units.units_of(record);
      parts.push_back({.sequence = record, .units = end - first});
    }
    reports::LostPart& part = parts.back();
    ++part.units_lost;
    if (part.what.size() < reports::kLostPartsMax) part.what.push_back(units.describe(unit, trace));
  }
  return parts;
}

/// The file that FINDING is about, as far as can be told: what a judge named, else what its
/// operations are about. It should be a file that the crash changed.
std::string broken_file(const reports::Finding& finding, const Trace& trace,
                        const FileSystem& before, const FileSystem& crashed) {
  if (!finding.effect_fault.empty()) return "";
  if (!finding.path.empty()) return finding.path;
  std::vector<std::string> candidates;
  const auto add = [&](uint64_t record) {
    const Operation* operation = trace.find(record);
    if (operation == nullptr || !is_operation(operation->kind)) return;
    candidates.emplace_back(operation->other_path);
    candidates.emplace_back(operation->path);
  };
  if (finding.kept_operation) add(finding.kept_operation->sequence);
  for (const reports::InvolvedOperation& lost : finding.lost_operations) add(lost.sequence);
  if (finding.cause_operation) add(finding.cause_operation->sequence);
  if (finding.crash_operation) add(finding.crash_operation->sequence);
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

}  // namespace

/// Takes RECORDS off what may be walked; false, and EVIDENCE says so, if that is used up.
bool EvidenceCollector::may_spend(uint64_t records, reports::Evidence& evidence) {
  if (records <= budget_->records) {
    budget_->records -= records;
    return true;
  }
  evidence.left_out =
      "the trees and the file's content: building them for so many findings takes too long; "
      "replay this one to see them";
  return false;
}

Result<EvidenceCollector::Moment> EvidenceCollector::tree_after(uint64_t record) {
  if (!builder_) {
    Result<StateBuilder> builder = StateBuilder::create(trace_);
    if (!builder) return tl::unexpected(builder.error());
    builder_ = std::move(*builder);
  }
  if (Status ok = builder_->move_to({record, -1}); !ok) return tl::unexpected(ok.error());
  return Moment{record, builder_->tree()};
}

/// PATH as it was whole again after RECORD: at its next version, or when it was next closed or
/// replaced.
Result<std::optional<EvidenceCollector::Moment>> EvidenceCollector::next_version(
    const std::string& path, uint64_t record) {
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

void EvidenceCollector::add_printed(reports::Evidence& evidence, std::string_view printed) const {
  if (printed.size() > kPrintedBytes) printed.remove_prefix(printed.size() - kPrintedBytes);
  evidence.printed = printed;
}

Status EvidenceCollector::add_trees(reports::Evidence& evidence, const FileSystem& before,
                                    const StateView& crashed) {
  Aftermath after;
  if (budget_->runs > 0) {
    --budget_->runs;
    Result<Aftermath> aftermath = judge_.aftermath(crashed);
    if (!aftermath && interrupted()) return {};  // what is known so far is still told
    if (!aftermath) return tl::unexpected(aftermath.error());
    after = std::move(*aftermath);
  } else {
    evidence.left_out =
        "what comes after the crash: it is run for the first findings only, and only "
        "while it ends in time";
  }
  if (after.tree) evidence.after_what = after.what;
  if (!after.tree && !after.what.empty()) {
    evidence.left_out = fmt::format("the tree afterwards: {} did not end", after.what);
    budget_->runs = 0;  // each one more would take as long
  }
  budget_->rows -=
      add_tree_rows(evidence, {&before, crashed.tree, after.tree ? &*after.tree : nullptr},
                    std::min<size_t>(budget_->rows, kTreeRowsMax));
  return {};
}

void EvidenceCollector::add_file(reports::Evidence& evidence, const std::string& path,
                                 const Moment& old, const std::optional<Moment>& made,
                                 const FileSystem& found) {
  if (path.empty()) return;
  reports::FileVersions file =
      file_versions(path, {&old.tree, made ? &made->tree : nullptr, &found},
                    static_cast<int64_t>(budget_->bytes));
  file.old_sequence = old.sequence;
  file.new_sequence = made ? made->sequence : 0;
  for (const auto* bytes : {&file.old_content, &file.new_content, &file.found}) {
    if (*bytes)
      budget_->bytes -= std::min<uint64_t>(budget_->bytes, (*bytes)->base64.size() / 4 * 3);
  }
  evidence.file = std::move(file);
}

Status EvidenceCollector::add_kill(reports::Finding& finding, CrashPoint point, uint64_t opener) {
  reports::Evidence& evidence = finding.evidence.emplace();
  const uint64_t start = opener != 0 ? opener - 1 : point.record - (point.record > 0 ? 1 : 0);
  if (!may_spend(point.record + trace_.records().size() / 8, evidence)) return {};
  Result<Moment> old = tree_after(start);
  if (!old) return tl::unexpected(old.error());
  if (Status ok = builder_->move_to(point); !ok) return ok;
  const FileSystem crashed = builder_->tree();
  const std::string printed = printed_before_ + builder_->printed();
  const std::string events = events_before_ + builder_->events();
  evidence.before_sequence = start;
  add_printed(evidence, printed);
  const StateView view{
      .tree = &crashed, .record = point.record, .printed = printed, .events = events};
  if (Status ok = add_trees(evidence, old->tree, view); !ok) return ok;
  const std::string path = broken_file(finding, trace_, old->tree, crashed);
  if (path.empty()) return {};
  Result<std::optional<Moment>> made = next_version(path, point.record);
  if (!made) return tl::unexpected(made.error());
  add_file(evidence, path, *old, *made, crashed);
  return {};
}

Status EvidenceCollector::add_power(reports::Finding& finding, const PowerLoss& loss) {
  reports::Evidence& evidence = finding.evidence.emplace();
  evidence.lost = lost_parts(loss.units, trace_, loss.lost);
  if (!may_spend(loss.record, evidence)) return {};
  const uint64_t first = evidence.lost.empty() ? loss.record : evidence.lost.front().sequence;
  Result<Moment> before = tree_after(loss.record);
  if (!before) return tl::unexpected(before.error());
  const std::string printed = printed_before_ + builder_->printed();
  const std::string events = events_before_ + builder_->events();
  evidence.before_sequence = loss.record;
  add_printed(evidence, printed);
  const StateView view{
      .tree = &loss.crashed, .record = loss.record, .printed = printed, .events = events};
  if (Status ok = add_trees(evidence, before->tree, view); !ok) return ok;
  const std::string path = broken_file(finding, trace_, before->tree, loss.crashed);
  if (path.empty()) return {};
  Result<Moment> old = tree_after(first - 1);
  if (!old) return tl::unexpected(old.error());
  // What emptied a file may have come before its content was lost.
  if (finding.kept_operation && finding.kept_operation->sequence < first &&
      trace_.find(finding.kept_operation->sequence)->path == path) {
    old = tree_after(finding.kept_operation->sequence - 1);
    if (!old) return tl::unexpected(old.error());
  }
  add_file(evidence, path, *old, std::optional<Moment>(std::move(*before)), loss.crashed);
  return {};
}

std::vector<int64_t> durable_since(const UnitHistory& units, const Floor& floor,
                                   const std::vector<reports::TimelineOperation>& operations) {
  constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  std::vector<int64_t> guaranteed(units.units().size(), kNever);
  for (const Floor::Step& step : floor.steps) {
    for (const UnitId unit : step.units) guaranteed[unit] = static_cast<int64_t>(step.record);
  }
  const auto when = [&](UnitId unit) { return unit == kNoUnit ? kNever : guaranteed[unit]; };
  // A unit needs no guarantee of its own once one that hides it has one.
  const auto settled = [&](UnitId id) {
    const Unit& unit = units.unit(id);
    const int64_t hidden = unit.kind == UnitKind::kRename
                               ? std::max(when(unit.hidden_by), when(unit.hidden_by_too))
                               : std::min(when(unit.hidden_by), when(unit.hidden_by_too));
    return std::min({when(id), when(unit.dropped_by), hidden});
  };
  std::vector<int64_t> since;
  since.reserve(operations.size());
  for (const reports::TimelineOperation& operation : operations) {
    int64_t last = 0;
    const auto [first, end] = units.units_of(operation.sequence);
    for (UnitId unit = first; unit < end; ++unit) last = std::max(last, settled(unit));
    since.push_back(last == kNever ? reports::kNeverDurable : last);
  }
  return since;
}

}  // namespace everycrash::cli
