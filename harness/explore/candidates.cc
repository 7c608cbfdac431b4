#include "harness/explore/candidates.h"

#include <algorithm>
#include <random>
#include <utility>

#include "harness/explore/down_sets.h"
#include "harness/model/unit.h"

namespace everycrash {
namespace {

// Windows with so few states are enumerated whole in the second round.
constexpr uint64_t kFew = 64;
// Work of one round in one window: units visited. Keeps windows of very many units affordable.
constexpr uint64_t kWorkLimit = 200'000'000;

bool is_name(const Unit& unit) {
  return unit.kind == UnitKind::kEntry || unit.kind == UnitKind::kRemoval ||
         unit.kind == UnitKind::kRename;
}

}  // namespace

Candidates::Candidates(const UnitHistory& history, const Window& window,
                       std::vector<uint32_t> must_lack, const CandidateBounds& bounds,
                       uint64_t salt)
    : history_(history),
      window_(window),
      must_lack_(std::move(must_lack)),
      bounds_(bounds),
      salt_(salt) {}

void Candidates::round(int number, const Sink& sink) {
  sink_ = &sink;
  left_ = std::max<uint64_t>(
      1, std::min(bounds_.window_limit, kWorkLimit / std::max<uint64_t>(window_.size(), 1)));
  if (number == 1) ends();
  if (number == 2) likely();
  if (number == 3) bounded();
  if (number == 4) random();
  sink_ = nullptr;
}

bool Candidates::lacks(const Window::Kept& kept) const {
  if (must_lack_.empty()) return true;
  return std::any_of(must_lack_.begin(), must_lack_.end(),
                     [&](uint32_t unit) { return kept[unit] == 0; });
}

bool Candidates::give(const Window::Kept& kept, Strategy strategy) {
  if (left_ == 0) {
    cut_ = true;
    return false;
  }
  --left_;
  if (lacks(kept)) (*sink_)(kept, window_.hash(kept), strategy);
  return true;
}

std::vector<uint32_t> Candidates::losable() const {
  Window::Kept reach(window_.size(), must_lack_.empty() ? 1 : 0);
  for (const uint32_t unit : must_lack_) window_.keep(unit, reach);
  std::vector<uint32_t> found;
  for (uint32_t i = 0; i < window_.size(); ++i) {
    if (reach[i] != 0) found.push_back(i);
  }
  return found;
}

/// For each operation in the window, the number of units up to its end.
std::vector<uint32_t> Candidates::operation_ends() const {
  std::vector<uint32_t> ends;
  for (uint32_t i = 0; i < window_.size(); ++i) {
    const bool last = i + 1 == window_.size() || history_.unit(window_.unit(i + 1)).record !=
                                                     history_.unit(window_.unit(i)).record;
    if (last) ends.push_back(i + 1);
  }
  return ends;
}

void Candidates::all() {
  DownSets sets(window_, must_lack_);
  while (sets.next()) (*sink_)(sets.kept(), sets.hash(), Strategy::kExhaustive);
  exhausted_ = true;
}

void Candidates::ends() {
  give(Window::Kept(window_.size(), 1), Strategy::kPrefix);
  give(Window::Kept(window_.size(), 0), Strategy::kAllLost);
}

void Candidates::likely() {
  const uint32_t count = window_.size();
  Window::Kept kept(count, 1);
  if (count_down_sets(window_, must_lack_, kFew) <= kFew) {
    all();
    return;
  }
  for (const uint32_t unit : losable()) {
    std::fill(kept.begin(), kept.end(), 1);
    window_.lose(unit, kept);
    if (!give(kept, Strategy::kOneLost)) return;
  }
  names_lost();
  torn();
  prefixes();
  for (uint32_t unit = 0; unit < count; ++unit) {
    std::fill(kept.begin(), kept.end(), 0);
    window_.keep(unit, kept);
    if (!give(kept, Strategy::kOneKept)) return;
  }
}

void Candidates::names_lost() {
  const uint32_t count = window_.size();
  Window::Kept no_names(count, 1), no_data(count, 1), no_removals(count, 1);
  for (uint32_t i = 0; i < count; ++i) {
    const Unit& unit = history_.unit(window_.unit(i));
    if (is_name(unit)) window_.lose(i, no_names);
    if (is_content(unit.kind)) window_.lose(i, no_data);
    if (unit.kind == UnitKind::kRemoval) window_.lose(i, no_removals);
  }
  give(no_names, Strategy::kNamesLost);
  give(no_removals, Strategy::kNamesLost);
  give(no_data, Strategy::kDataLost);
  // All names there, and of the content only what they need.
  Window::Kept names_only(count, 0);
  for (uint32_t i = 0; i < count; ++i) {
    if (is_name(history_.unit(window_.unit(i)))) window_.keep(i, names_only);
  }
  give(names_only, Strategy::kDataLost);
}

/// The last write of each prefix: its size there and none of its bytes, or only its first or last.
void Candidates::torn() {
  uint32_t begin = 0;
  for (const uint32_t end : operation_ends()) {
    Window::Kept prefix(window_.size(), 0);
    std::fill_n(prefix.begin(), end, uint8_t{1});
    std::vector<uint32_t> data;
    for (uint32_t i = begin; i < end; ++i) {
      const UnitKind kind = history_.unit(window_.unit(i)).kind;
      if (kind == UnitKind::kData || kind == UnitKind::kAppend || kind == UnitKind::kStale) {
        data.push_back(i);
      }
    }
    begin = end;
    if (data.empty()) continue;
    Window::Kept none = prefix, first = prefix, last = prefix;
    for (const uint32_t unit : data) {
      window_.lose(unit, none);
      if (unit != data.front()) window_.lose(unit, first);
      if (unit != data.back()) window_.lose(unit, last);
    }
    for (const Window::Kept* kept : {&none, &first, &last}) {
      if (!give(*kept, Strategy::kTorn)) return;
    }
  }
}

void Candidates::prefixes() {
  for (const uint32_t end : operation_ends()) {
    Window::Kept kept(window_.size(), 0);
    std::fill_n(kept.begin(), end, uint8_t{1});
    if (!give(kept, Strategy::kPrefix)) return;
  }
}

void Candidates::bounded() {
  if (exhausted_) return;
  if (count_down_sets(window_, must_lack_, bounds_.exhaustive_limit) <= bounds_.exhaustive_limit) {
    all();
    return;
  }
  const uint32_t count = window_.size();
  const std::vector<uint32_t> one = losable();
  for (size_t a = 0; a < one.size() && left_ > 0; ++a) {
    Window::Kept kept(count, 1);
    window_.lose(one[a], kept);
    for (uint32_t b = 0; b < count; ++b) {
      if (kept[b] == 0) continue;
      Window::Kept both = kept;
      window_.lose(b, both);
      if (!give(both, Strategy::kPairs)) break;
    }
  }
  for (const uint32_t end : operation_ends()) {
    Window::Kept prefix(count, 0);
    std::fill_n(prefix.begin(), end, uint8_t{1});
    depth_against_prefix(prefix, 0, bounds_.depth, true);
    depth_against_prefix(prefix, end, bounds_.depth, false);
    if (left_ == 0) break;
  }
}

void Candidates::depth_against_prefix(const Window::Kept& prefix, uint32_t first, uint32_t depth,
                                      bool lose) {
  if (depth == 0) return;
  for (uint32_t unit = first; unit < window_.size(); ++unit) {
    if ((prefix[unit] != 0) != lose) continue;
    Window::Kept kept = prefix;
    if (lose) {
      window_.lose(unit, kept);
    } else {
      window_.keep(unit, kept);
    }
    if (!give(kept, lose ? Strategy::kOneLost : Strategy::kOneKept)) return;
    depth_against_prefix(kept, unit + 1, depth - 1, lose);
  }
}

/// Around a random prefix, each unit of a few is lost or kept.
void Candidates::random() {
  const uint32_t count = window_.size();
  if (exhausted_ || count == 0) return;
  std::mt19937_64 random(bounds_.seed * 0x9e3779b97f4a7c15 + salt_);
  for (uint32_t n = 0; n < bounds_.random_sets; ++n) {
    Window::Kept kept(count, 0);
    std::fill_n(kept.begin(), random() % (count + 1), uint8_t{1});
    // A prefix by number may split partners; losing and keeping repairs it.
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t partner = window_.partner(i);
      if (partner != kNowhere && kept[i] != kept[partner]) window_.keep(i, kept);
    }
    for (uint64_t changes = 1 + random() % 8; changes > 0; --changes) {
      const auto unit = static_cast<uint32_t>(random() % count);
      if (kept[unit] != 0) {
        window_.lose(unit, kept);
      } else {
        window_.keep(unit, kept);
      }
    }
    if (!give(kept, Strategy::kRandom)) return;
  }
}

}  // namespace everycrash
