#include "harness/explore/window.h"

#include <algorithm>
#include <array>

#include "harness/model/floor.h"
#include "harness/model/unit.h"
#include "harness/trace/event.h"
#include "harness/trace/trace.h"

namespace everycrash {
namespace {

/// The digest of the effects that RECORD announces; zero for other records.
Digest effects_of(const Operation& record) {
  Digest sum;
  if (record.events.empty()) return sum;
  for (const Event& event : parse_events(record.events)) {
    if (event.is_effect()) sum += digest_of(event.line);
  }
  return sum;
}

}  // namespace

std::vector<Boundary> boundaries_of(const Trace& trace, const Floor& floor, bool all_points) {
  std::vector<Boundary> found;
  Boundary now;
  const auto put = [&found](const Boundary& boundary) {
    const bool same = !found.empty() && found.back().record == boundary.record &&
                      found.back().before_sync == boundary.before_sync;
    if (!same) found.push_back(boundary);
  };
  for (const Operation& record : trace.records()) {
    const bool syncs =
        now.steps < floor.steps.size() && floor.steps[now.steps].record == record.sequence;
    const Digest effects = effects_of(record);
    if (syncs && !all_points) {
      // A synchronous write is undecided itself until it returns.
      Boundary before = now;
      before.record = record.kind == Kind::kWrite ? record.sequence : record.sequence - 1;
      before.before_sync = true;
      put(before);
    }
    if (effects != Digest{} && !all_points) put(now);
    now.record = record.sequence;
    if (syncs) ++now.steps;
    if (record.kind == Kind::kPrint) ++now.promises;
    now.effects += effects;
    if (all_points && changes_state(record)) put(now);
  }
  put(now);
  return found;
}

Window::Window(const UnitHistory& history, std::vector<UnitId> units,
               const std::vector<bool>& floor)
    : units_(std::move(units)) {
  const uint32_t count = size();
  hiders_.resize(count);
  partners_.assign(count, kNowhere);
  weights_.reserve(count);
  before_begin_.push_back(0);
  std::vector<uint32_t> after_count(count + 1);
  Carried carried;
  for (uint32_t i = 0; i < count; ++i) {
    const Unit& unit = history.unit(units_[i]);
    for (const UnitId id : history.before(units_[i])) {
      const uint32_t at = local(id);
      if (at != kNowhere) {
        before_.push_back(at);
      } else if (history.hands_on(id) && floor[id]) {
        const std::vector<uint32_t>& needs = needs_of_carried(history, id, floor, carried);
        before_.insert(before_.end(), needs.begin(), needs.end());
      }
    }
    const auto place = [&](UnitId id) {
      if (id == kNoUnit) return kNowhere;
      return floor[id] ? kAlways : local(id);
    };
    if (unit.partner != kNoUnit) partners_[i] = local(unit.partner);
    if (partners_[i] != kNowhere) before_.push_back(partners_[i]);
    // One half of a step may be hidden where the other one shows.
    if (partners_[i] == kNowhere) {
      hiders_[i] = {place(unit.dropped_by), place(unit.hidden_by), place(unit.hidden_by_too),
                    unit.kind == UnitKind::kRename};
    }
    weights_.push_back(digest_of_words(std::array{uint64_t{units_[i]}}, 7).low);
    before_begin_.push_back(static_cast<uint32_t>(before_.size()));
  }
  for (const uint32_t at : before_) ++after_count[at + 1];
  for (uint32_t i = 0; i < count; ++i) after_count[i + 1] += after_count[i];
  after_begin_ = after_count;
  after_.resize(before_.size());
  for (uint32_t i = 0; i < count; ++i) {
    for (const uint32_t at : before(i)) after_[after_count[at]++] = i;
  }
}

/// What must be kept for metadata that comes behind UNIT, which a sync carried to the floor alone.
const std::vector<uint32_t>& Window::needs_of_carried(const UnitHistory& history, UnitId unit,
                                                      const std::vector<bool>& floor,
                                                      Carried& known) const {
  std::vector<UnitId> todo = {unit};
  while (!todo.empty()) {
    const UnitId at = todo.back();
    if (known.count(at) != 0) {
      todo.pop_back();
      continue;
    }
    std::vector<uint32_t> needs;
    bool ready = true;
    for (const UnitId id : history.before(at)) {
      const uint32_t here = local(id);
      if (here != kNowhere) {
        needs.push_back(here);
      } else if (history.hands_on(id) && floor[id] && id > units_.front()) {
        const auto found = known.find(id);
        if (found == known.end()) {
          todo.push_back(id);
          ready = false;
        } else {
          needs.insert(needs.end(), found->second.begin(), found->second.end());
        }
      }
    }
    if (!ready) continue;
    std::sort(needs.begin(), needs.end());
    needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
    known.emplace(at, std::move(needs));
    todo.pop_back();
  }
  return known.at(unit);
}

uint32_t Window::local(UnitId unit) const {
  const auto found = std::lower_bound(units_.begin(), units_.end(), unit);
  if (found == units_.end() || *found != unit) return kNowhere;
  return static_cast<uint32_t>(found - units_.begin());
}

uint64_t Window::hash(const Kept& kept) const {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < size(); ++i) {
    if (kept[i] != 0 && !is_hidden(i, kept)) sum += weights_[i];
  }
  return sum;
}

void Window::spread(uint32_t local, Kept& kept, bool keep) const {
  const uint8_t value = keep ? 1 : 0;
  if (kept[local] == value) return;
  std::vector<uint32_t> todo = {local};
  kept[local] = value;
  while (!todo.empty()) {
    const uint32_t unit = todo.back();
    todo.pop_back();
    for (const uint32_t next : keep ? before(unit) : after(unit)) {
      if (kept[next] == value) continue;
      kept[next] = value;
      todo.push_back(next);
    }
  }
}

void Window::lose(uint32_t local, Kept& kept) const {
  spread(local, kept, false);
}

void Window::keep(uint32_t local, Kept& kept) const {
  spread(local, kept, true);
}

}  // namespace everycrash
