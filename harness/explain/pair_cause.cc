#include "harness/explain/pair_cause.h"

#include <fmt/format.h>

#include "harness/base/digest.h"
#include "harness/check/verdict.h"
#include "harness/explain/cause_words.h"
#include "harness/explore/point_names.h"
#include "harness/inject/runner_orders.h"
#include "harness/inject/two_runners.h"
#include "harness/trace/trace.h"

namespace everycrash {
namespace {

bool changes_tree(const Operation& record) {
  return is_operation(record.kind) && changes_state(record);
}

/// True if it found the name free and took it: that undoes nothing, it is how locks are taken one
/// after the other.
bool takes_free_name(const Operation& record) {
  return record.has(format::kCreated) || record.kind == Kind::kMakeDirectory ||
         record.kind == Kind::kLink || record.kind == Kind::kSymlink;
}

/// Where RUNNER is to ask for a lock next, from RECORD on: on which file.
std::optional<std::string> lock_asked_for(const Trace& trace, uint32_t runner, uint64_t record) {
  for (const Operation& each : trace.records()) {
    if (each.sequence < record || each.runner != runner || !is_gated(each)) continue;
    if (each.kind == Kind::kLock) return std::string(each.path);
    break;
  }
  return std::nullopt;
}

/// True if both operations are about one name or one file.
bool touch(const Operation& a, const Operation& b) {
  for (const std::string_view path : {a.path, a.other_path}) {
    if (!path.empty() && (path == b.path || path == b.other_path)) return true;
  }
  return a.inode != 0 && a.inode == b.inode;
}

std::string part_of_key(const Operation* operation, const CauseWords& words) {
  return operation == nullptr ? "-" : words.call_of(*operation);
}

}  // namespace

std::string PairCause::id() const {
  return short_id_of(key);
}

PairCause find_pair_cause(const Trace& trace, const PairRun& run, const Complaint& said,
                          const PointNames& names, const SiteOf& site_of) {
  PairCause cause;
  const auto records = trace.records();
  for (const TurnTaken& turn : run.turns) {
    cause.killed |= turn.stop == TurnTaken::Stop::kKilled;
  }
  if (!run.turns.empty()) {
    for (const Operation& record : records) {
      if (record.sequence >= run.turns.front().next_record) break;
      const bool named = names.occurrence(record.sequence) != 0;
      if (named && record.runner == run.turns.front().runner) cause.stood = record.sequence;
    }
  }
  // Each turn meets what the turn before it, of the other one, has changed.
  for (size_t i = 1; i < run.turns.size() && cause.undoes == 0; ++i) {
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
        if (of_other && touch(record, before)) cause.undone = before.sequence;
      }
      if (cause.undone == 0) continue;
      cause.undoes = record.sequence;
      break;
    }
  }
  const CauseWords words(trace, site_of);
  cause.key =
      fmt::format("concurrent; {} {}{}: {} / {}", name_of(said.judge), words.subject_of(said),
                  cause.killed ? " killed" : "",
                  part_of_key(trace.find(cause.undoes != 0 ? cause.undoes : cause.stood), words),
                  part_of_key(trace.find(cause.undone), words));
  return cause;
}

PairPlace place_of(const PointNames& names, const Trace& trace, uint32_t runner, uint64_t record) {
  PairPlace place{.lock = lock_asked_for(trace, runner, record)};
  const auto is_named = [&](const Operation& each) {
    return each.runner == runner && names.occurrence(each.sequence) != 0;
  };
  uint64_t last = 0;
  for (const Operation& each : trace.records()) {
    if (each.sequence >= record) break;
    if (is_named(each)) last = each.sequence;
  }
  if (last == 0) return place;
  place.after = names.base(last);
  for (const Operation& each : trace.records()) {
    if (each.sequence > last) break;
    place.occurrence += is_named(each) && names.base(each.sequence) == place.after ? 1 : 0;
  }
  return place;
}

}  // namespace everycrash
