#include "harness/inject/runner_orders.h"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "harness/base/digest.h"
#include "harness/trace/name_guesses.h"

namespace everycrash {
namespace {

// Orders with two preemptions grow with the square of the run. Of more than these, as many are
// drawn.
constexpr uint64_t kPairsMax = uint64_t{1} << 18;
// Of orders that are about nothing that both change, one comes where so many others do.
constexpr uint64_t kUnlikelyStep = 8;

constexpr uint64_t kAll = RunnerGroup::kAll;

/// Numbers in no order that depend on nothing but SEED and what is given.
Digest mixed(uint64_t seed, uint64_t a, uint64_t b) {
  return digest_of_words(std::array{seed, a, b}, 2);
}

/// The first stands before its operation `first`, the second before `second`, or goes on (kAll).
struct Candidate {
  uint64_t number = 0;  ///< decides within its kind; then its place among all
  uint64_t first = 0;
  uint64_t second = kAll;
  bool kill = false;
  Contended around = Contended::kNo;
  [[nodiscard]] auto order() const { return std::tie(number, first, second, kill); }
};

class Sample {
 public:
  Sample(const SerialSteps& steps, uint64_t seed) : steps_(steps), seed_(seed) {}

  void add_one() {
    for (uint64_t i = 0; i < steps_.count(0); ++i) {
      add({.first = i, .kill = false, .around = around(0, i)});
      if (i > 0) add({.first = i, .kill = true, .around = around(0, i)});
    }
  }

  void add_two() {
    const uint64_t n = steps_.count(0);
    const uint64_t m = steps_.longer();
    if (m < 2) return;
    if (n <= kPairsMax / (m - 1)) {
      for (uint64_t i = 0; i < n; ++i) {
        for (uint64_t j = 1; j < m; ++j) add_pair(i, j);
      }
      return;
    }
    std::set<std::pair<uint64_t, uint64_t>> drawn;
    for (uint64_t k = 0; k < kPairsMax; ++k) {
      const Digest draw = mixed(seed_, k, kAll);
      const std::pair pair(draw.low % n, 1 + draw.high % (m - 1));
      if (drawn.insert(pair).second) add_pair(pair.first, pair.second);
    }
  }

  /// The k-th of its kind comes where k times the step of the kind is.
  std::vector<TurnSchedule> take(uint64_t most) {
    const auto by_number = [](const Candidate& a, const Candidate& b) {
      return a.order() < b.order();
    };
    std::sort(candidates_.begin(), candidates_.end(), by_number);
    std::map<std::pair<Contended, bool>, uint64_t> places;
    for (Candidate& each : candidates_) {
      const uint64_t step = each.around == Contended::kNo ? kUnlikelyStep : 1;
      each.number = step * ++places[{each.around, each.second != kAll}];
    }
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const Candidate& a, const Candidate& b) {
                       return a.number != b.number ? a.number < b.number : a.around > b.around;
                     });
    if (candidates_.size() > most) candidates_.resize(most);
    std::vector<TurnSchedule> orders;
    for (const Candidate& each : candidates_) orders.push_back(order_of(each));
    return orders;
  }

  static TurnSchedule order_of(const Candidate& candidate) {
    TurnSchedule order{.turns = {{0, candidate.first}, {1, candidate.second}},
                       .kill_first = candidate.kill};
    if (candidate.kill || candidate.second != kAll) order.turns.push_back({0, kAll});
    return order;
  }

 private:
  void add(Candidate candidate) {
    candidate.number = mixed(seed_, candidate.first, candidate.second).low;
    candidates_.push_back(candidate);
  }

  void add_pair(uint64_t i, uint64_t j) {
    const bool at_held_lock =
        about(0, i) == Contended::kLock && (holds_lock(0, j) || holds_lock(1, j));
    const Contended second = std::max(around(1, j), around(0, j));
    add({.first = i,
         .second = j,
         .around =
             at_held_lock ? Contended::kLock : std::min({around(0, i), second, Contended::kFile})});
  }

  [[nodiscard]] Contended about(uint32_t runner, uint64_t at) const {
    return at < steps_.count(runner) ? steps_.of[runner][at].about : Contended::kNo;
  }
  [[nodiscard]] bool holds_lock(uint32_t runner, uint64_t at) const {
    return at < steps_.count(runner) && steps_.of[runner][at].holds_lock;
  }
  /// Who stands right behind an operation has just done it.
  [[nodiscard]] Contended around(uint32_t runner, uint64_t at) const {
    const Contended next = about(runner, at);
    return at == 0 ? next : std::max(about(runner, at - 1), next);
  }

  const SerialSteps& steps_;
  uint64_t seed_;
  std::vector<Candidate> candidates_;
};

}  // namespace

bool may_take_lock(const Operation& record) {
  if (record.kind == Kind::kOpen && record.has(format::kCreated)) {
    return (record.open_flags & O_EXCL) != 0 || looks_like_lock(record.path);
  }
  return record.kind == Kind::kMakeDirectory || record.kind == Kind::kLink ||
         record.kind == Kind::kSymlink;
}

std::string_view made_name(const Operation& record) {
  return record.kind == Kind::kLink ? record.other_path : record.path;
}

bool is_gated(const Operation& record) {
  return waits_for_turn(record.kind) || record.kind == Kind::kLock;
}

SerialSteps find_steps(const Trace& serial, const TemporaryNames& temporary) {
  std::map<std::string_view, int> changed_by;  // a bit a runner
  std::set<std::string_view> locks;
  for (const Operation& record : serial.records()) {
    if (!is_operation(record.kind) || !changes_state(record)) continue;
    for (const std::string_view path : {record.path, record.other_path}) {
      if (!path.empty()) changed_by[path] |= 1 << record.runner;
    }
    const std::string_view name = made_name(record);
    if (may_take_lock(record) && temporary.contains(name)) locks.insert(name);
  }
  SerialSteps steps;
  std::set<std::string_view> held[2];
  for (const Operation& record : serial.records()) {
    if (!is_gated(record)) continue;
    std::set<std::string_view>& held_now = held[record.runner];
    SerialSteps::Step step{.holds_lock = !held_now.empty()};
    if (record.kind == Kind::kLock) step.about = Contended::kLock;
    for (const std::string_view path : {record.path, record.other_path}) {
      const auto found = changed_by.find(path);
      if (found == changed_by.end() || found->second != 3) continue;
      step.about = std::max(step.about, locks.contains(path) ? Contended::kLock : Contended::kFile);
    }
    steps.of[record.runner].push_back(step);
    if (may_take_lock(record) && locks.contains(made_name(record))) {
      held_now.insert(made_name(record));
    }
    if (takes_name(record.kind)) held_now.erase(record.path);
  }
  return steps;
}

std::vector<TurnSchedule> orders_with_one(const SerialSteps& steps) {
  std::vector<TurnSchedule> orders;
  for (const bool kill : {false, true}) {
    for (uint64_t i = kill ? 1 : 0; i < steps.count(0); ++i) {
      orders.push_back(Sample::order_of({.first = i, .kill = kill}));
    }
  }
  return orders;
}

uint64_t count_orders_with_two(const SerialSteps& steps) {
  return steps.longer() < 2 ? 0 : steps.count(0) * (steps.longer() - 1);
}

std::vector<TurnSchedule> likeliest_orders(const SerialSteps& steps,
                                           const LikeliestOptions& options) {
  Sample sample(steps, options.seed);
  if (options.one) sample.add_one();
  if (options.two) sample.add_two();
  return sample.take(options.most);
}

}  // namespace everycrash
