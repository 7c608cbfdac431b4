#include "harness/inject/chaos_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <random>
#include <set>

#include "harness/inject/fault_text.h"

namespace everycrash {
namespace {

/// Not a distribution of the standard library, whose numbers differ between libraries.
class Dice {
 public:
  Dice(uint64_t seed, uint64_t round) : engine_(seed * 0x9e3779b97f4a7c15ULL + round) {}
  /// From 0 to BOUND - 1.
  uint64_t below(uint64_t bound) { return engine_() % bound; }
  bool one_in(uint64_t bound) { return below(bound) == 0; }
  template <typename Word>
  const Word& one_of(const std::vector<Word>& words) {
    return words[below(words.size())];
  }
  const char* one_of(std::initializer_list<const char*> words) {
    return words.begin()[below(words.size())];
  }

 private:
  std::mt19937_64 engine_;
};

std::string failing_call(Dice& dice, uint64_t calls) {
  const uint64_t when = 1 + dice.below(calls);
  switch (dice.below(6)) {
    case 0:
      return fmt::format("write(*) {} when={}", dice.one_of({"ENOSPC", "EIO", "EINTR"}), when);
    case 1:
      return fmt::format("write(*) short when={}..+{}", 1 + dice.below(5), 2 + dice.below(5));
    case 2:
      return fmt::format("write(*) full={}", 512 * (1 + dice.below(64)));
    case 3:
      return fmt::format("read(*) short when={}..+{}", 1 + dice.below(5), 1 + dice.below(3));
    case 4:
      return fmt::format("read(*) EIO when={}", 1 + dice.below(calls));
    default:
      return fmt::format("any(*) {} when={}", dice.one_of({"EIO", "ENOSPC"}), when);
  }
}

/// A program talks little compared with what it writes: among the first of its calls.
std::string failing_network(Dice& dice, const ChaosGround& ground) {
  constexpr uint64_t kEarly = 8;
  const std::string& peer = dice.one_of(ground.peers);
  const uint64_t when = 1 + dice.below(kEarly);
  switch (dice.below(5)) {
    case 0:
      return fmt::format("connect({}) ECONNREFUSED when={}", peer, when);
    case 1:
      return fmt::format("send({}) ECONNRESET when={}", peer, when);
    case 2:
      return fmt::format("receive({}) {} when={}", peer, dice.one_of({"ECONNRESET", "ETIMEDOUT"}),
                         when);
    case 3:
      return fmt::format("receive({}) short", peer);
    default:
      return fmt::format("network({}) hang={}ms when={}..{}", peer, 50 * (1 + dice.below(20)), when,
                         when + dice.below(3));
  }
}

ChaosLife draw_life(Dice& dice, const ChaosGround& ground) {
  const uint64_t calls = std::max<uint64_t>(ground.calls, 1);
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
  if (!ground.peers.empty() && dice.one_in(2)) {
    life.faults.push_back(failing_network(dice, ground));
    life.fails_calls = true;
  }
  if (life.faults.empty() || !dice.one_in(4)) {
    life.faults.push_back(fmt::format("any(*) kill-{} when={}", dice.one_in(2) ? "before" : "after",
                                      1 + dice.below(calls)));
  }
  return life;
}

}  // namespace

ChaosGround chaos_ground(const Trace& trace) {
  ChaosGround ground;
  std::set<std::string> peers;
  for (const Operation& record : trace.records()) {
    if (is_operation(record.kind)) ++ground.calls;
    if (record.kind != Kind::kSend) continue;
    std::string glob(record.path);
    std::replace(glob.begin(), glob.end(), '[', '?');  // of an address, no set
    if (!glob.empty()) peers.insert(escaped_glob(glob));
  }
  ground.peers.assign(peers.begin(), peers.end());
  return ground;
}

std::vector<ChaosLife> chaos_lives(uint64_t seed, uint64_t round, const ChaosGround& ground) {
  Dice dice(seed, round);
  std::vector<ChaosLife> lives(1 + dice.below(3));
  for (ChaosLife& life : lives) life = draw_life(dice, ground);
  return lives;
}

}  // namespace everycrash
