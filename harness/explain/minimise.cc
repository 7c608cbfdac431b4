#include "harness/explain/minimise.h"

#include <algorithm>
#include <set>
#include <utility>

#include "harness/explore/power_states.h"
#include "harness/model/floor.h"
#include "harness/model/unit.h"
#include "harness/trace/trace.h"

namespace everycrash {
namespace {

/// True if a unit of RECORD is not in LOST, or if it told something to the outside.
bool keeps_or_tells(const Trace& trace, const UnitHistory& history, uint64_t record,
                    const std::vector<UnitId>& lost) {
  const Operation& operation = *trace.find(record);
  if (operation.kind == Kind::kPrint || !operation.events.empty()) return true;
  const auto [first, last] = history.units_of(record);
  for (UnitId unit = first; unit < last; ++unit) {
    if (!std::binary_search(lost.begin(), lost.end(), unit)) return true;
  }
  return false;
}

/// True if RECORD prints a part of a line that the next record goes on with. Nobody takes that for
/// a promise; a checker may well stumble over it.
bool prints_half_a_line(const Trace& trace, const Operation& record) {
  if (record.kind != Kind::kPrint || record.payload.ends_with('\n')) return false;
  const Operation* const next = trace.find(record.sequence + 1);
  return next != nullptr && next->kind == Kind::kPrint && next->process == record.process;
}

class Minimiser {
 public:
  Minimiser(const Trace& trace, const UnitHistory& history, const StateFails& fails,
            uint64_t most_checks)
      : trace_(trace), history_(history), fails_(fails), left_(most_checks), most_(most_checks) {}

  /// Puts back as much of LOST as possible. Leaves some checks for finding the other half: without
  /// any, the last operation or print would be blamed.
  Status shrink(uint64_t point, std::vector<UnitId>& lost) {
    const uint64_t reserve = most_ / 4;
    for (size_t size = lost.size(); size > 0; size = size == 1 ? 0 : (size + 1) / 2) {
      bool again = true;
      while (again && left_ > reserve) {
        again = false;
        for (size_t begin = 0; begin < lost.size() && left_ > reserve;) {
          const size_t end = std::min(begin + size, lost.size());
          std::vector<UnitId> fewer = put_back(lost, begin, end);
          const Result<bool> still = fails(point, fewer);
          if (!still) return tl::unexpected(still.error());
          if (*still) {
            lost = std::move(fewer);
            again = size == 1;
          } else {
            begin = end;
          }
        }
      }
    }
    return {};
  }

  /// The record that first makes the loss matter, going back from POINT; 0 if it always did.
  Result<uint64_t> first_harm(uint64_t point, const std::vector<UnitId>& lost) {
    const std::vector<uint64_t> moments = moments_of(point, lost);
    size_t bad = moments.size();  // fails after the record moments[bad - 1]
    size_t good = bad;
    // One by one at first: further back the run may have been in an earlier moment of the same
    // kind.
    constexpr size_t kSingleSteps = 8;
    for (size_t step = 1, taken = 1; good > 0 && left_ > 0; ++taken) {
      good = good > step ? good - step : 0;
      const Result<bool> failing = fails_after(good == 0 ? 0 : moments[good - 1], lost);
      if (!failing) return tl::unexpected(failing.error());
      if (!*failing) break;
      bad = good;
      if (taken >= kSingleSteps) step *= 2;
    }
    if (bad == 0) return 0;
    while (bad - good > 1 && left_ > 0) {
      const size_t middle = good + (bad - good) / 2;
      const Result<bool> failing = fails_after(moments[middle - 1], lost);
      if (!failing) return tl::unexpected(failing.error());
      (*failing ? bad : good) = middle;
    }
    return moments[bad - 1];
  }

  /// A state at POINT that fails with nothing lost fails because something has not been done yet:
  /// finds the next operation after which all is well. The same state then is the one right after
  /// that operation with all of it lost. Leaves both as they are where there is no such operation
  /// nearby, or where it is on disk once it returns.
  Status find_missing(uint64_t& point, std::vector<UnitId>& lost) {
    constexpr int kStepsMax = 16;
    int steps = 0;
    for (uint64_t record = point + 1; trace_.find(record) != nullptr; ++record) {
      const auto [first, last] = history_.units_of(record);
      if (first == last) continue;
      if (++steps > kStepsMax || left_ <= most_ / 8) return {};
      const Result<bool> still = fails(record, {});
      if (!still) return tl::unexpected(still.error());
      if (*still) continue;
      std::vector<UnitId> all;
      for (UnitId unit = first; unit < last; ++unit) all.push_back(unit);
      if (is_guarantee(*trace_.find(record))) return {};
      const Result<bool> same = fails(record, all);
      if (!same) return tl::unexpected(same.error());
      if (!*same) return {};
      point = record;
      lost = std::move(all);
      return {};
    }
    return {};
  }

  Result<bool> fails_after(uint64_t record, const std::vector<UnitId>& lost) {
    const UnitId end = history_.units_until(record);
    return fails(record, {lost.begin(), std::lower_bound(lost.begin(), lost.end(), end)});
  }

  /// Where the harm is done by the record KEPT, and part of the loss lies before that and part
  /// behind, the smaller example is the crash right after KEPT: what comes later need not be lost
  /// there, it has not been done.
  Status end_with(uint64_t kept, uint64_t& point, std::vector<UnitId>& lost) {
    if (kept == 0 || kept >= point || left_ == 0) return {};
    const auto later = std::lower_bound(lost.begin(), lost.end(), history_.units_until(kept));
    if (later == lost.begin() || later == lost.end()) return {};
    const Result<bool> without = fails(kept, {});
    if (!without) return tl::unexpected(without.error());
    if (*without) return {};
    lost.erase(later, lost.end());
    point = kept;
    return {};
  }

  [[nodiscard]] uint64_t checks() const { return most_ - left_; }

 private:
  Result<bool> fails(uint64_t record, const std::vector<UnitId>& lost) {
    if (left_ > 0) --left_;
    return fails_(record, lost);
  }

  /// LOST without the units from BEGIN to END and without what they need.
  std::vector<UnitId> put_back(const std::vector<UnitId>& lost, size_t begin, size_t end) const {
    std::set<UnitId> still(lost.begin(), lost.end());
    std::vector<UnitId> todo(lost.begin() + static_cast<std::ptrdiff_t>(begin),
                             lost.begin() + static_cast<std::ptrdiff_t>(end));
    std::set<UnitId> visited;
    while (!todo.empty()) {
      const UnitId unit = todo.back();
      todo.pop_back();
      // A unit that is there may have been carried alone; what comes behind it needs more.
      if (!visited.insert(unit).second) continue;
      if (still.erase(unit) == 0 && !history_.hands_on(unit)) continue;
      const auto before = history_.before(unit);
      todo.insert(todo.end(), before.begin(), before.end());
      const UnitId partner = history_.unit(unit).partner;
      if (partner != kNoUnit && still.count(partner) != 0) todo.push_back(partner);
    }
    return {still.begin(), still.end()};
  }

  /// Records after which a state with this loss differs from the one before, and POINT.
  [[nodiscard]] std::vector<uint64_t> moments_of(uint64_t point,
                                                 const std::vector<UnitId>& lost) const {
    std::vector<uint64_t> moments;
    for (const Operation& record : trace_.records()) {
      if (record.sequence > point) break;
      if (prints_half_a_line(trace_, record)) continue;
      if (keeps_or_tells(trace_, history_, record.sequence, lost)) {
        moments.push_back(record.sequence);
      }
    }
    // A promise that is made by the end of the run comes behind all of them.
    if (moments.empty() || moments.back() < point) moments.push_back(point);
    return moments;
  }

  const Trace& trace_;
  const UnitHistory& history_;
  const StateFails& fails_;
  uint64_t left_, most_;
};

}  // namespace

Result<PowerCause> minimise(const Trace& trace, const UnitHistory& history, const PowerState& state,
                            const StateFails& fails, const CauseWords& words,
                            uint64_t most_checks) {
  SmallestLoss smallest{.point = state.point.record, .lost = state.lost};
  Minimiser minimiser(trace, history, fails, most_checks);
  if (Status ok = minimiser.shrink(smallest.point, smallest.lost); !ok)
    return tl::unexpected(ok.error());
  if (smallest.lost.empty()) {
    if (Status ok = minimiser.find_missing(smallest.point, smallest.lost); !ok)
      return tl::unexpected(ok.error());
  }
  const Result<uint64_t> kept = minimiser.first_harm(smallest.point, smallest.lost);
  if (!kept) return tl::unexpected(kept.error());
  smallest.kept = *kept;
  if (Status ok = minimiser.end_with(*kept, smallest.point, smallest.lost); !ok)
    return tl::unexpected(ok.error());
  smallest.at_end = *kept != 0 && *kept == smallest.point &&
                    !keeps_or_tells(trace, history, *kept, smallest.lost);
  PowerCause cause = cause_of(trace, history, std::move(smallest), words);
  cause.checks = minimiser.checks();
  return cause;
}

}  // namespace everycrash
