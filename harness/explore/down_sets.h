// All states of a window: the down-sets of its order, each once.
//
// Units are decided from the last to the first. A unit that a kept one needs is kept; a unit that
// nothing kept needs may be lost, and is kept only if it can be seen. So no path through the
// choices ends in a contradiction, every leaf is a legal state, and no two leaves look the same.
//
// Where the states must lack at least one of some units G1, G2, ... (a state that has them all is
// enumerated elsewhere), they fall into parts: G1 is lost; G1 is kept and G2 is lost; and so on.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/explore/window.h"

namespace everycrash {

/// Walks the down-sets of one window. Refers to the window. One thread.
class DownSets {
 public:
  /// MUST_LACK: local numbers, ascending; empty = no such condition.
  DownSets(const Window& window, std::vector<uint32_t> must_lack);

  /// Goes to the next state; false when there is none left.
  bool next();
  [[nodiscard]] const Window::Kept& kept() const { return kept_; }
  [[nodiscard]] uint64_t hash() const { return hash_; }

 private:
  bool begin_part();
  bool descend(uint32_t from);
  bool retreat();
  void decide(uint32_t unit, bool kept);
  void undecide(uint32_t unit);

  const Window& window_;
  std::vector<uint32_t> must_lack_;
  size_t part_ = 0;
  bool started_ = false;
  uint64_t hash_ = 0;
  Window::Kept kept_;
  Window::Kept banned_;
  std::vector<uint32_t> needed_;        // by how many kept units
  std::vector<uint8_t> seen_;           // counted in the hash
  std::vector<uint32_t> open_choices_;  // kept, but may be lost as well
};

/// How many states there are, or LIMIT + 1 if there are more than LIMIT.
[[nodiscard]] uint64_t count_down_sets(const Window& window, const std::vector<uint32_t>& must_lack,
                                       uint64_t limit);

}  // namespace everycrash
