// Which states were looked at: a flat set of 64-bit keys, 8 bytes an entry at half load or more.
#pragma once

#include <cstdint>
#include <vector>

namespace everycrash {

/// Not thread-safe. Never forgets; bound its size by bounding what is put in.
class KeySet {
 public:
  KeySet() : slots_(1024, 0) {}

  /// True if KEY was not there.
  bool insert(uint64_t key) {
    if (key == 0) key = 1;  // zero marks a free slot
    if ((size_ + 1) * 10 > slots_.size() * 7) grow();
    if (!put(slots_, key)) return false;
    ++size_;
    return true;
  }
  [[nodiscard]] uint64_t size() const { return size_; }

 private:
  static bool put(std::vector<uint64_t>& slots, uint64_t key) {
    const uint64_t mask = slots.size() - 1;
    for (uint64_t at = (key * 0x9e3779b97f4a7c15) >> 20 & mask;; at = (at + 1) & mask) {
      if (slots[at] == key) return false;
      if (slots[at] == 0) {
        slots[at] = key;
        return true;
      }
    }
  }
  void grow() {
    std::vector<uint64_t> larger(slots_.size() * 2, 0);
    for (const uint64_t key : slots_) {
      if (key != 0) put(larger, key);
    }
    slots_.swap(larger);
  }

  std::vector<uint64_t> slots_;
  uint64_t size_ = 0;
};

}  // namespace everycrash
