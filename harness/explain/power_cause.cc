#include "harness/explain/power_cause.h"

#include <algorithm>
#include <set>
#include <utility>

#include "harness/base/digest.h"
#include "harness/explain/cause_words.h"
#include "harness/model/unit.h"
#include "harness/trace/trace.h"

namespace everycrash {
namespace {

/// Units of LOST (ascending) that miss nothing that they need.
std::vector<UnitId> roots_of(const UnitHistory& history, const std::vector<UnitId>& lost) {
  std::vector<UnitId> roots;
  for (const UnitId unit : lost) {
    const auto before = history.before(unit);
    const bool forced = std::any_of(before.begin(), before.end(), [&](UnitId id) {
      return std::binary_search(lost.begin(), lost.end(), id);
    });
    if (!forced) roots.push_back(unit);
  }
  return roots;
}

UnitId first_kept(const UnitHistory& history, uint64_t record, const std::vector<UnitId>& lost) {
  if (record == 0) return kNoUnit;
  const auto [first, last] = history.units_of(record);
  for (UnitId unit = first; unit < last; ++unit) {
    if (!std::binary_search(lost.begin(), lost.end(), unit)) return unit;
  }
  return kNoUnit;
}

PowerHarm harm_of(const Trace& trace, const PowerCause& cause, bool at_end) {
  const Operation* kept = trace.find(cause.kept_record);
  if (cause.roots.empty()) {
    return kept == nullptr ? PowerHarm::kFromTheStart : PowerHarm::kNothingLost;
  }
  if (at_end) return PowerHarm::kEnded;
  if (kept == nullptr) return PowerHarm::kLost;
  if (kept->kind == Kind::kPrint) return PowerHarm::kPromised;
  if (!kept->events.empty()) return PowerHarm::kEffectDone;
  return cause.kept_record == cause.lost_record() ? PowerHarm::kTorn : PowerHarm::kReordered;
}

std::vector<uint64_t> lost_records(const UnitHistory& history, const PowerCause& cause) {
  std::vector<uint64_t> records;
  for (const std::vector<UnitId>* units : {&cause.roots, &cause.lost}) {
    for (const UnitId unit : *units) {
      const uint64_t record = history.unit(unit).record;
      if (std::find(records.begin(), records.end(), record) == records.end()) {
        records.push_back(record);
      }
    }
  }
  return records;
}

}  // namespace

std::string PowerCause::id() const {
  return short_id_of(key);
}

PowerCause cause_of(const Trace& trace, const UnitHistory& history, SmallestLoss smallest,
                    const CauseWords& words) {
  PowerCause cause;
  cause.point = smallest.point;
  cause.lost = std::move(smallest.lost);
  cause.roots = roots_of(history, cause.lost);
  cause.kept_record = smallest.at_end ? 0 : smallest.kept;
  cause.kept_unit = first_kept(history, cause.kept_record, cause.lost);
  cause.lost_records = lost_records(history, cause);
  cause.harm = harm_of(trace, cause, smallest.at_end);
  std::set<std::string> barriers;
  for (const UnitId root : cause.roots) barriers.insert(barrier_of(trace, history, root, words));
  cause.key = "power; ";
  for (const std::string& barrier : barriers) cause.key += barrier + "; ";
  cause.key += "before ";
  cause.key += smallest.at_end ? "the end" : kept_half(trace, cause.kept_record, words);
  return cause;
}

std::optional<LostBytes> lost_bytes_of(const UnitHistory& history, UnitId root,
                                       const std::vector<UnitId>& lost) {
  const uint64_t record = history.unit(root).record;
  LostBytes bytes{.begin = INT64_MAX};
  for (const UnitId id : lost) {
    const Unit& unit = history.unit(id);
    const bool holds_bytes = unit.kind == UnitKind::kData || unit.kind == UnitKind::kAppend;
    if (unit.record != record || !holds_bytes) continue;
    bytes.begin = std::min(bytes.begin, unit.offset);
    bytes.end = std::max(bytes.end, unit.offset + unit.length);
  }
  if (bytes.end == 0) return std::nullopt;
  return bytes;
}

std::optional<TornSize> torn_size_of(const UnitHistory& history, const PowerCause& cause) {
  std::optional<int64_t> size;
  int64_t lost = 0;
  int64_t begin = INT64_MAX;
  const auto [first, last] = history.units_of(cause.kept_record);
  for (UnitId id = first; id < last; ++id) {
    const Unit& unit = history.unit(id);
    const bool is_lost = std::binary_search(cause.lost.begin(), cause.lost.end(), id);
    if (is_lost && unit.kind == UnitKind::kData) {
      lost += unit.length;
      begin = std::min(begin, unit.offset);
    }
    if (!is_lost && unit.kind == UnitKind::kSize) size = unit.offset;
  }
  if (!size) return std::nullopt;
  return TornSize{.size = *size, .lost = lost, .first_lost = lost == 0 ? -1 : begin};
}

std::string barrier_of(const Trace& trace, const UnitHistory& history, UnitId id,
                       const CauseWords& words) {
  const Unit& unit = history.unit(id);
  const std::string file = words.file_of(*trace.find(unit.record));
  switch (unit.kind) {
    case UnitKind::kEntry:
    case UnitKind::kRename:
      return "name of " + file;
    case UnitKind::kRemoval:
      return "removal of " + file;
    case UnitKind::kAttributes:
      return "attributes of " + file;
    default:
      return "content of " + file;
  }
}

std::string kept_half(const Trace& trace, uint64_t record, const CauseWords& words) {
  const Operation* operation = trace.find(record);
  return operation == nullptr ? "nothing" : words.call_of(*operation);
}

}  // namespace everycrash
