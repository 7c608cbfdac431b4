#include "harness/explore/kill_states.h"

#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "harness/model/file_system.h"
#include "harness/trace/event.h"
#include "harness/trace/trace.h"

namespace everycrash {
namespace {

constexpr int64_t kPage = static_cast<int64_t>(format::kPageSize);

/// Collects crash points and gives equal states one number.
class Collector {
 public:
  explicit Collector(bool all_points) : all_points_(all_points) {}

  void add(CrashPoint point, const Digest& tree, const Digest& effects) {
    const uint64_t unique = all_points_ ? points_.size() + 1 : 0;
    const Digest key =
        digest_of_words(std::array{tree.low, tree.high, effects.low, effects.high, unique}, 0);
    const auto [it, fresh] = ids_.try_emplace(key, static_cast<uint32_t>(states_.size()));
    if (fresh) states_.push_back({.digest = key});
    states_[it->second].point = point;  // points come in order, so the last one stays
    ++states_[it->second].points;
    points_.push_back({point, it->second});
  }

  std::vector<KillState> states_;
  std::vector<KillStates::Point> points_;

 private:
  bool all_points_;
  std::unordered_map<Digest, uint32_t> ids_;
};

/// Effects separate states: with the same tree, what a restart does twice or never depends on them.
/// Step markers do not.
void add_effects(Digest& effects, std::string_view events) {
  for (const Event& event : parse_events(events)) {
    if (event.is_effect()) effects += digest_of(event.line);
  }
}

/// Adds the states inside a write: after each page boundary of the file that it crosses. The write
/// is applied piece by piece, so its own pages are hashed once each.
Status add_cuts(Collector& found, FileSystem& tree, const Operation& write, const Digest& effects) {
  const auto size = static_cast<int64_t>(write.payload.size());
  int64_t done = 0;
  for (int64_t next = kPage - write.offset % kPage; next < size; next += kPage) {
    Operation part = write;
    part.offset = write.offset + done;
    part.payload =
        write.payload.substr(static_cast<size_t>(done), static_cast<size_t>(next - done));
    if (Status ok = tree.apply(part); !ok) return ok;
    done = next;
    found.add({write.sequence, done}, tree.digest(), effects);
  }
  return {};
}

/// True if NEXT was found by the same look at the mapped files as MAPPED, the record before it.
bool in_one_look(const Operation& mapped, const Operation& next) {
  return mapped.kind == Kind::kMapWrite && next.kind == Kind::kMapWrite &&
         mapped.thread == next.thread && mapped.sequence + 1 == next.sequence;
}

}  // namespace

Result<KillStates> KillStates::enumerate(const Trace& trace, const Options& options) {
  Result<FileSystem> start = FileSystem::initial(trace);
  if (!start) return tl::unexpected(start.error());
  FileSystem tree = std::move(*start);
  Collector found(options.all_points);
  KillStates result;
  Digest effects;
  found.add({0, -1}, tree.digest(), effects);
  const auto& records = trace.records();
  for (size_t i = 0; i < records.size(); ++i) {
    const Operation& record = records[i];
    if (!changes_state(record)) continue;
    if (!record.events.empty()) add_effects(effects, record.events);
    if (record.kind == Kind::kWrite && record.call != SYS_ioctl) {  // a clone comes whole
      if (Status ok = add_cuts(found, tree, record, effects); !ok)
        return tl::unexpected(ok.error());
    }
    // A write that was applied in pieces is applied once more as a whole: the same bytes.
    if (Status ok = tree.apply(record); !ok) return tl::unexpected(ok.error());
    if (i + 1 < records.size() && in_one_look(record, records[i + 1])) {
      result.changed_at_once_.emplace(record.path);
      result.changed_at_once_.emplace(records[i + 1].path);
      continue;
    }
    found.add({record.sequence, -1}, tree.digest(), effects);
  }
  result.points_ = std::move(found.points_);
  // Number the states in the order of the points at which they are checked.
  std::vector<uint32_t> order(found.states_.size());
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    const auto key = [&](uint32_t i) {
      const CrashPoint& point = found.states_[i].point;
      return std::pair(point.record, point.whole() ? INT64_MAX : point.cut);
    };
    return key(a) < key(b);
  });
  std::vector<uint32_t> place(order.size());
  for (uint32_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    result.states_.push_back(found.states_[order[i]]);
  }
  for (Point& point : result.points_) point.state = place[point.state];
  return result;
}

}  // namespace everycrash
