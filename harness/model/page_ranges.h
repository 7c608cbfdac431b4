// Sets of pages as ranges: large files have few of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

namespace everycrash {

/// Pages of one file. A value; one thread.
class PageRanges {
 public:
  /// Adds [begin, end).
  void add(int64_t begin, int64_t end) {
    if (begin >= end) return;
    auto range = ranges_.upper_bound(begin);
    if (range != ranges_.begin() && std::prev(range)->second >= begin) --range;
    while (range != ranges_.end() && range->first <= end) {
      begin = std::min(begin, range->first);
      end = std::max(end, range->second);
      range = ranges_.erase(range);
    }
    ranges_.emplace(begin, end);
  }

  /// Takes [begin, end) out.
  void remove(int64_t begin, int64_t end) {
    if (begin >= end) return;
    add(begin, end);
    const auto range = std::prev(ranges_.upper_bound(begin));
    const auto [first, last] = *range;
    ranges_.erase(range);
    if (first < begin) ranges_.emplace(first, begin);
    if (end < last) ranges_.emplace(end, last);
  }

  [[nodiscard]] bool contains(int64_t page) const {
    const auto range = ranges_.upper_bound(page);
    return range != ranges_.begin() && std::prev(range)->second > page;
  }

 private:
  std::map<int64_t, int64_t> ranges_;  // begin to end; they do not touch
};

}  // namespace everycrash
