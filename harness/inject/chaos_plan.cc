#include "harness/inject/chaos_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace everycrash {
namespace {

/// Not a distribution of the standard library, whose numbers differ between libraries.
class Dice {
 public:
  Dice(uint64_t seed, uint64_t round) : engine_(seed * 0x9e3779b97f4a7c15ULL + round) {}
  /// From 0 to BOUND - 1.
  uint64_t below(uint64_t bound) { return engine_() % bound; }
  bool one_in(uint64_t bound) { return below(bound) == 0; }
  const char* one_of(const std::vector<const char*>& words) { return words[below(words.size())]; }

 private:
  std::mt19937_64 engine_;
};

std::string failing_call(Dice& dice, uint64_t calls) {
  const uint64_t when = 1 + dice.below(calls);
  switch (dice.below(4)) {
    case 0:
      return fmt::format("write(*) {} when={}", dice.one_of({"ENOSPC", "EIO", "EINTR"}), when);
    case 1:
      return fmt::format("write(*) short when={}..+{}", 1 + dice.below(5), 2 + dice.below(5));
    case 2:
      return fmt::format("write(*) full={}", 512 * (1 + dice.below(64)));
    default:
      return fmt::format("any(*) {} when={}", dice.one_of({"EIO", "ENOSPC"}), when);
  }
}

ChaosLife draw_life(Dice& dice, uint64_t calls) {
  ChaosLife life;
  if (dice.one_in(4)) {
    life.faults.push_back(
        fmt::format("start() clock={}{}s", dice.one_in(2) ? "+" : "-", 1 + dice.below(7200)));
  }
  if (dice.one_in(2)) {
    life.faults.push_back(fmt::format("any(*) delay=50ms..500ms when={}", 1 + dice.below(calls)));
  }
  if (dice.one_in(3)) {
    life.faults.push_back(failing_call(dice, calls));
    life.fails_calls = true;
  }
  if (life.faults.empty() || !dice.one_in(4)) {
    life.faults.push_back(fmt::format("any(*) kill-{} when={}", dice.one_in(2) ? "before" : "after",
                                      1 + dice.below(calls)));
  }
  return life;
}

}  // namespace

std::vector<ChaosLife> chaos_lives(uint64_t seed, uint64_t round, uint64_t calls) {
  Dice dice(seed, round);
  std::vector<ChaosLife> lives(1 + dice.below(3));
  for (ChaosLife& life : lives) life = draw_life(dice, std::max<uint64_t>(calls, 1));
  return lives;
}

}  // namespace everycrash
