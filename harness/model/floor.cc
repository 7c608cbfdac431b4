#include "harness/model/floor.h"

#include <sys/mman.h>

#include <algorithm>

#include "harness/model/persistence_model.h"
#include "harness/model/unit.h"
#include "harness/trace/trace.h"

namespace everycrash {
namespace {

/// What one sync is about.
struct Range {
  int64_t begin = 0;
  int64_t end = INT64_MAX;
  bool attributes = true;  ///< false: fdatasync and its kin
};

class FloorTracker {
 public:
  FloorTracker(const UnitHistory& history, const PersistenceRules& rules)
      : history_(history),
        rules_(rules),
        durable_(history.units().size()),
        dropped_(history.units().size()),
        content_(history.node_count()),
        names_of_(history.node_count()),
        names_in_(history.node_count()) {}

  void note_units_of(uint64_t record) {
    const auto [first, last] = history_.units_of(record);
    for (UnitId id = first; id < last; ++id) {
      const Unit& unit = history_.unit(id);
      if (unit.parent == kNoNode) {
        content_[unit.node].push_back(id);
        continue;
      }
      names_of_[unit.node].push_back(id);
      names_in_[unit.parent].push_back(id);
      if (unit.old_parent != kNoNode && unit.old_parent != unit.parent) {
        names_in_[unit.old_parent].push_back(id);
      }
    }
    known_ = last;
  }

  void sync_everything() {
    for (; all_until_ < known_; ++all_until_) {
      const bool in_place = history_.unit(all_until_).kind == UnitKind::kData;
      if (!in_place || !rules_.sync_may_not_flush) take(all_until_);
    }
  }

  void sync_node(NodeId node, const Range& range, const LoggedNames* logged) {
    if (node == kNoNode) return;
    const uint64_t committed =
        rules_.sync == SyncReach::kAllMetadata ? last_change(node, range.attributes) : 0;
    take_content(node, range);
    take_all(names_in_[node], false);
    if (rules_.sync == SyncReach::kItsNames) take_all(names_of_[node], true);
    if (logged != nullptr) take_logged(*logged);
    take_metadata(committed);
  }

  /// A sync of NODE failed: its data is clean in memory now, so no later sync writes it.
  void drop_data(NodeId node, const Range& range) {
    if (node == kNoNode) return;
    std::erase_if(content_[node], [&](UnitId id) {
      const Unit& unit = history_.unit(id);
      const bool data = unit.kind == UnitKind::kData || unit.kind == UnitKind::kAppend ||
                        unit.kind == UnitKind::kSize;
      if (!data || !in_range(unit, range)) return false;
      dropped_[id] = !durable_[id];
      return true;
    });
  }

  /// What was taken since the last call, with what it drags along where all metadata goes to disk:
  /// everything it needs.
  std::vector<UnitId> taken() {
    for (size_t i = 0; rules_.sync == SyncReach::kAllMetadata && i < taken_.size(); ++i) {
      for (const UnitId before : history_.before(taken_[i])) take(before);
    }
    std::sort(taken_.begin(), taken_.end());
    return std::move(taken_);
  }

 private:
  [[nodiscard]] bool is_sent_ahead(UnitId content, UnitId name) const {
    const Unit& unit = history_.unit(content);
    return rules_.at_replace == Flush::kData && history_.unit(name).parent != kNoNode &&
           unit.node == history_.unit(name).node && unit.parent == kNoNode && !unit.metadata;
  }

  void take(UnitId id) {
    if (durable_[id] || dropped_[id]) return;
    durable_[id] = true;
    taken_.push_back(id);
  }

  void take_all(std::vector<UnitId>& units, bool with_partners) {
    for (const UnitId id : units) take_name(id, with_partners);
    units.clear();
  }

  void take_name(UnitId id, bool with_partner) {
    take(id);
    const Unit& unit = history_.unit(id);
    // A sync of the new folder shows the new name only; one of the old folder takes both.
    const bool both = with_partner || unit.kind == UnitKind::kRemoval;
    if (both && unit.partner != kNoUnit) take(unit.partner);
  }

  void take_logged(const LoggedNames& logged) {
    for (const UnitId id : logged.units) take_name(id, false);
    if (logged.committed > 0) take_metadata(history_.unit(logged.committed - 1).record);
  }

  void take_content(NodeId node, const Range& range) {
    std::erase_if(content_[node], [&](UnitId id) {
      const Unit& unit = history_.unit(id);
      if (!unit.for_reading && !range.attributes) return false;
      if (unit.for_reading && !in_range(unit, range)) return false;
      take(id);
      return true;
    });
  }

  static bool in_range(const Unit& unit, const Range& range) {
    constexpr auto kPage = static_cast<int64_t>(format::kPageSize);
    const int64_t end = range.end > INT64_MAX - kPage ? INT64_MAX : range.end + kPage - 1;
    switch (unit.kind) {
      case UnitKind::kData:
      case UnitKind::kStale:
        return unit.offset / kPage >= range.begin / kPage && unit.offset / kPage < end / kPage;
      case UnitKind::kAppend:  // nothing of it shows without what is in front of it
        return unit.offset / kPage < end / kPage;
      case UnitKind::kSize:
        return unit.offset <= end / kPage * kPage;
      default:
        return true;
    }
  }

  /// The last record that changed NODE, among what is not on disk yet; 0 = none. A sync commits the
  /// metadata up to there: a file without changes has nothing to commit. Bytes that stay within the
  /// size, names and attributes are nothing to fdatasync.
  [[nodiscard]] uint64_t last_change(NodeId node, bool attributes) const {
    uint64_t last = 0;
    const auto look = [&](const std::vector<UnitId>& units, const auto& counts) {
      for (const UnitId id : units) {
        const Unit& unit = history_.unit(id);
        if (!durable_[id] && counts(unit)) last = std::max(last, unit.record);
      }
    };
    const auto any = [](const Unit&) { return true; };
    look(content_[node], [&](const Unit& unit) {
      return attributes || (unit.for_reading && unit.kind != UnitKind::kData);
    });
    if (attributes) look(names_of_[node], any);
    look(names_in_[node], any);
    return last;
  }

  /// All metadata of records up to RECORD, and the data whose way to disk had begun by then: what
  /// renames sent ahead of themselves, and closes.
  void take_metadata(uint64_t record) {
    while (metadata_until_ < known_ && history_.unit(metadata_until_).record <= record) {
      const UnitId id = metadata_until_++;
      if (!history_.unit(id).metadata) continue;
      take(id);
      for (const UnitId before : history_.before(id)) {
        if (is_sent_ahead(before, id)) take(before);
      }
    }
    const auto flushes = history_.flushes();
    for (; flush_ < flushes.size() && flushes[flush_].record < record; ++flush_) {
      for (const UnitId unit : flushes[flush_].units) take(unit);
    }
  }

  const UnitHistory& history_;
  const PersistenceRules& rules_;
  std::vector<bool> durable_, dropped_;
  std::vector<std::vector<UnitId>> content_, names_of_, names_in_;  // by node, not durable yet
  std::vector<UnitId> taken_;
  UnitId known_ = 0, all_until_ = 0, metadata_until_ = 0;
  size_t flush_ = 0;
};

bool is_synchronous_write(const Operation& operation) {
  return operation.kind == Kind::kWrite &&
         (operation.has(format::kSyncWrite) || operation.has(format::kDataSyncWrite));
}

/// What a sync of one file is about.
Range range_of(const Operation& sync) {
  switch (sync.kind) {
    case Kind::kDataSync:
      return {.attributes = false};
    case Kind::kMapSync:
    case Kind::kSyncRange:
      return {sync.offset, sync.offset + sync.length, false};
    default:
      return {};
  }
}

void guarantee(FloorTracker& tracker, const Operation& operation, NodeId node,
               const LoggedNames* logged) {
  if (syncs_all(operation.kind)) {
    tracker.sync_everything();
    return;
  }
  Range range = range_of(operation);
  if (operation.kind == Kind::kWrite) {
    range = {operation.offset, operation.offset + static_cast<int64_t>(operation.payload.size()),
             operation.has(format::kSyncWrite)};
  }
  tracker.sync_node(node, range, logged);
}

}  // namespace

bool drops_data(const Operation& operation) {
  return is_sync(operation.kind) && operation.failed() && operation.has(format::kLost);
}

bool is_guarantee(const Operation& operation) {
  if (operation.failed() || operation.has(format::kLost)) return false;
  if (operation.kind == Kind::kMapSync) return (operation.mode & MS_SYNC) != 0;
  if (operation.kind == Kind::kSyncRange) return false;
  return is_sync(operation.kind) || is_synchronous_write(operation);
}

Floor Floor::compute(const Trace& trace, const UnitHistory& history, const PersistenceRules& rules,
                     const LyingSync& lies) {
  Floor floor;
  FloorTracker tracker(history, rules);
  for (const Operation& record : trace.records()) {
    tracker.note_units_of(record.sequence);
    if (drops_data(record)) tracker.drop_data(history.target(record.sequence), range_of(record));
    if (!is_guarantee(record) || (lies && lies(record.sequence))) continue;
    guarantee(tracker, record, history.target(record.sequence),
              history.logged_names(record.sequence));
    std::vector<UnitId> taken = tracker.taken();
    if (!taken.empty()) floor.steps.push_back({record.sequence, std::move(taken)});
  }
  return floor;
}

}  // namespace everycrash
