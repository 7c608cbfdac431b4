#include "harness/cli/pair_finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/base/crash_kind.h"
#include "harness/base/digest.h"
#include "harness/explain/cluster.h"
#include "harness/inject/runner_orders.h"

namespace everycrash::cli {
namespace {

bool changes_tree(const Operation& record) {
  return is_operation(record.kind) && changes_state(record);
}

const char* runner_name(uint32_t runner) {
  return runner == 0 ? "first" : "second";
}

/// True if it found the name free and took it: that undoes nothing, it is how locks are taken one
/// after the other.
bool takes_free_name(const Operation& record) {
  return record.has(format::kCreated) || record.kind == Kind::kMakeDirectory ||
         record.kind == Kind::kLink || record.kind == Kind::kSymlink;
}

/// True if both operations are about one name or one file.
bool touch(const Operation& a, const Operation& b) {
  for (const std::string_view path : {a.path, a.other_path}) {
    if (!path.empty() && (path == b.path || path == b.other_path)) return true;
  }
  return a.inode != 0 && a.inode == b.inode;
}

std::string part_of_key(const Operation* operation, DocumentBuilder& builder) {
  if (operation == nullptr) return "-";
  const std::string_view path =
      operation->other_path.empty() ? operation->path : operation->other_path;
  return fmt::format("{} {} at {}", name_of(operation->kind),
                     path_pattern(path, operation->process), builder.site_of(operation->stack));
}

std::string end_of(const TurnTaken& turn, const PairRun& run, const std::string& place) {
  switch (turn.stop) {
    case TurnTaken::Stop::kStands:
      return fmt::format("goes on and stands still {}", place);
    case TurnTaken::Stop::kEnded:
      return fmt::format("goes on to its end ({})", describe(run.ends[turn.runner]));
    case TurnTaken::Stop::kWaits:
      return fmt::format("waits for the other {}", place);
    case TurnTaken::Stop::kKilled:
      return fmt::format("is killed where it stands, {}", place);
  }
  return "";
}

/// Where RUNNER is to ask for a lock next, from RECORD on: on which file.
std::string lock_asked_for(const Trace& trace, uint32_t runner, uint64_t record) {
  for (const Operation& each : trace.records()) {
    if (each.sequence < record || each.runner != runner || !is_gated(each)) continue;
    if (each.kind != Kind::kLock) return "";
    return fmt::format(", about to lock {}", each.path.empty() ? "." : each.path);
  }
  return "";
}

std::string title_of(const PointNames& names, const PairCause& cause, const Complaint& said) {
  if (said.judge == Judge::kExactlyOnce) {
    return fmt::format("Of two runners at once, both do the effect {}", said.path);
  }
  if (cause.undone != nullptr && cause.undoes != nullptr) {
    const std::string& undoes = names.base(cause.undoes->sequence);
    const std::string& undone = names.base(cause.undone->sequence);
    return fmt::format("Of two runners at once, one does {} over the other's {}", undoes, undone);
  }
  const std::string where = cause.stood == nullptr ? "before its first operation"
                                                   : "after " + names.base(cause.stood->sequence);
  return fmt::format("{} while another runner stands still {}{}",
                     said.path.empty() ? "A second runner does harm" : said.path + " is broken",
                     where, cause.killed ? ", to be killed there" : "");
}

}  // namespace

std::string PairCause::id() const {
  return digest_of(key).hex().substr(0, 12);
}

PairCause find_pair_cause(const Trace& trace, const PairRun& run, const Complaint& said,
                          DocumentBuilder& builder) {
  PairCause cause;
  const auto records = trace.records();
  for (const TurnTaken& turn : run.turns) {
    cause.killed |= turn.stop == TurnTaken::Stop::kKilled;
  }
  if (!run.turns.empty()) {
    for (const Operation& record : records) {
      if (record.sequence >= run.turns.front().next_record) break;
      const bool named = builder.names().occurrence(record.sequence) != 0;
      if (named && record.runner == run.turns.front().runner) cause.stood = &record;
    }
  }
  // Each turn meets what the turn before it, of the other one, has changed.
  for (size_t i = 1; i < run.turns.size() && cause.undoes == nullptr; ++i) {
    const TurnTaken& meanwhile = run.turns[i - 1];
    const TurnTaken& now = run.turns[i];
    if (i == 1 || meanwhile.runner == now.runner) continue;  // the first to run stood on nothing
    for (const Operation& record : records) {
      const bool its_own = record.sequence >= now.first_record &&
                           record.sequence < now.next_record && record.runner == now.runner;
      if (!its_own || !changes_tree(record) || takes_free_name(record)) continue;
      for (const Operation& before : records) {
        const bool of_other = before.sequence >= meanwhile.first_record &&
                              before.sequence < meanwhile.next_record &&
                              before.runner == meanwhile.runner && changes_tree(before);
        if (of_other && touch(record, before)) cause.undone = &before;
      }
      if (cause.undone == nullptr) continue;
      cause.undoes = &record;
      break;
    }
  }
  cause.key =
      fmt::format("concurrent {} {}{}: {} / {}", name_of(said.judge), path_pattern(said.path, 0),
                  cause.killed ? " killed" : "",
                  part_of_key(cause.undoes != nullptr ? cause.undoes : cause.stood, builder),
                  part_of_key(cause.undone, builder));
  return cause;
}

std::string place_of(const PointNames& names, const Trace& trace, uint32_t runner,
                     uint64_t record) {
  const Operation* last = nullptr;
  for (const Operation& each : trace.records()) {
    if (each.sequence >= record) break;
    if (each.runner == runner && names.occurrence(each.sequence) != 0) last = &each;
  }
  const std::string lock = lock_asked_for(trace, runner, record);
  if (last == nullptr) return "before its first operation" + lock;
  const std::string& base = names.base(last->sequence);
  uint64_t occurrence = 0;
  for (const Operation& each : trace.records()) {
    if (each.sequence > last->sequence) break;
    const bool same = each.runner == runner && names.occurrence(each.sequence) != 0 &&
                      names.base(each.sequence) == base;
    occurrence += same ? 1 : 0;
  }
  return fmt::format("{}{}#{}{}", base.starts_with("after:") ? "" : "after ", base, occurrence,
                     lock);
}

reports::Finding pair_finding(const Trace& trace, const PairRun& run, const PairCause& cause,
                              const std::vector<Complaint>& complaints, DocumentBuilder& builder) {
  reports::Finding finding;
  finding.id = cause.id();
  const auto violated = std::find_if(
      complaints.begin(), complaints.end(),
      [](const Complaint& complaint) { return complaint.verdict == Verdict::kViolated; });
  finding.title = title_of(builder.names(), cause, *violated);
  finding.judge = name_of(violated->judge);
  finding.effect_fault = name_of(effect_fault_of(*violated));
  finding.path = violated->path;
  for (const Complaint& complaint : complaints) {
    if (complaint.verdict == Verdict::kViolated) finding.complaints.push_back(complaint.message);
  }
  finding.crash = CrashKind::kConcurrent;
  for (const TurnTaken& turn : run.turns) {
    const std::string place = place_of(builder.names(), trace, turn.runner, turn.next_record);
    finding.schedule.push_back(
        fmt::format("the {} {}", runner_name(turn.runner), end_of(turn, run, place)));
  }
  if (!run.turns.empty()) {
    finding.point =
        place_of(builder.names(), trace, run.turns.front().runner, run.turns.front().next_record);
  }
  finding.sequence = trace.records().size();
  finding.state.record = trace.records().size();
  if (cause.stood != nullptr) finding.crash_operation = builder.involve(*cause.stood);
  if (cause.undone != nullptr) finding.lost_operations.push_back(builder.involve(*cause.undone));
  if (cause.undoes != nullptr) finding.kept_operation = builder.involve(*cause.undoes);
  finding.first_point = finding.last_point = finding.point;
  return finding;
}

}  // namespace everycrash::cli
