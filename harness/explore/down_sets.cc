#include "harness/explore/down_sets.h"

#include <algorithm>
#include <utility>

namespace everycrash {

DownSets::DownSets(const Window& window, std::vector<uint32_t> must_lack)
    : window_(window), must_lack_(std::move(must_lack)), seen_(window.size()) {}

bool DownSets::begin_part() {
  const size_t parts = must_lack_.empty() ? 1 : must_lack_.size();
  for (; part_ < parts; ++part_) {
    hash_ = 0;
    kept_.assign(window_.size(), 0);
    banned_.assign(window_.size(), 0);
    needed_.assign(window_.size(), 0);
    open_choices_.clear();
    bool possible = true;
    if (!must_lack_.empty()) {
      Window::Kept allowed(window_.size(), 1);
      window_.lose(must_lack_[part_], allowed);
      for (uint32_t i = 0; i < window_.size(); ++i) banned_[i] = allowed[i] == 0;
      for (size_t earlier = 0; earlier < part_; ++earlier) {
        const uint32_t wanted = must_lack_[earlier];
        ++needed_[wanted];
        possible = possible && banned_[wanted] == 0;
        // Its other half is decided before it if it comes behind it.
        if (window_.partner(wanted) != kNowhere) ++needed_[window_.partner(wanted)];
      }
    }
    if (possible) {
      ++part_;
      return true;
    }
  }
  return false;
}

bool DownSets::next() {
  if (started_ && retreat()) return true;
  started_ = true;
  if (!begin_part()) return false;
  return descend(window_.size());
}

void DownSets::decide(uint32_t unit, bool kept) {
  kept_[unit] = kept ? 1 : 0;
  if (!kept) return;
  for (const uint32_t before : window_.before(unit)) ++needed_[before];
  seen_[unit] = window_.is_hidden(unit, kept_) ? 0 : 1;
  if (seen_[unit] != 0) hash_ += window_.weight(unit);
}

void DownSets::undecide(uint32_t unit) {
  if (kept_[unit] == 0) return;
  for (const uint32_t before : window_.before(unit)) --needed_[before];
  if (seen_[unit] != 0) hash_ -= window_.weight(unit);
  kept_[unit] = 0;
}

/// Decides all units below FROM, keeping what may be kept.
bool DownSets::descend(uint32_t from) {
  for (uint32_t unit = from; unit-- > 0;) {
    const uint32_t partner = window_.partner(unit);
    const bool half_lost = partner != kNowhere && partner > unit && kept_[partner] == 0;
    if (needed_[unit] > 0) {
      decide(unit, true);
    } else if (banned_[unit] != 0 || half_lost || window_.is_hidden(unit, kept_)) {
      decide(unit, false);
    } else {
      open_choices_.push_back(unit);
      decide(unit, true);
    }
  }
  return true;
}

/// Loses the lowest unit that was kept by choice, and decides anew what is below it.
bool DownSets::retreat() {
  if (open_choices_.empty()) return false;
  const uint32_t choice = open_choices_.back();
  open_choices_.pop_back();
  for (uint32_t unit = 0; unit <= choice; ++unit) undecide(unit);
  decide(choice, false);
  return descend(choice);
}

uint64_t count_down_sets(const Window& window, const std::vector<uint32_t>& must_lack,
                         uint64_t limit) {
  DownSets sets(window, must_lack);
  uint64_t count = 0;
  while (count <= limit && sets.next()) ++count;
  return count;
}

}  // namespace everycrash
