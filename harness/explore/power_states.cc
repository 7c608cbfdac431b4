#include "harness/explore/power_states.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <utility>

#include "harness/explore/candidates.h"
#include "harness/explore/seen.h"
#include "harness/explore/window.h"
#include "harness/model/floor.h"
#include "harness/model/persistence_model.h"
#include "harness/model/unit_tree.h"
#include "harness/trace/trace.h"

namespace everycrash {
namespace {

constexpr int kRounds = 4;
constexpr uint64_t kNever = ~uint64_t{0};

/// One enumeration: an honest disk has one, a disk that lies once has one for each lie.
struct Plan {
  LyingSync lies;
  uint64_t lied = 0;
};

uint64_t mix(uint64_t a, uint64_t b) {
  return digest_of_words(std::array{a, b}, 11).low;
}

}  // namespace

struct PowerExplorer::Work {
  Work(const Trace& the_trace, const PowerOptions& the_options,
       std::shared_ptr<const UnitHistory> the_history, UnitTree the_tree)
      : trace(the_trace),
        options(the_options),
        history(std::move(the_history)),
        tree(std::move(the_tree)) {}

  void make_plans();
  void start();
  void take_floor();
  void apply_floor();
  bool advance();
  void enter(uint32_t boundary);
  void generate();
  [[nodiscard]] std::vector<uint32_t> must_lack(const Window& at) const;
  [[nodiscard]] bool accept(const Window::Kept& kept, uint64_t hash, Strategy strategy);
  std::optional<PowerState> try_next();

  const Trace& trace;
  PowerOptions options;
  std::shared_ptr<const UnitHistory> history;  // the tree refers to it
  UnitTree tree;

  // Where the enumeration stands.
  std::vector<Plan> plans;
  size_t plan = 0;
  size_t floor_of = ~size_t{0};  // the plan that the floor is of
  int round = 1;
  uint32_t boundary = 0;  // index + 1, counts down
  Floor honest;
  std::vector<uint64_t>
      honest_since;  // by unit: the record that makes it durable; lying disks only
  Floor floor;
  std::vector<Boundary> boundaries;
  std::vector<std::vector<uint8_t>> exhausted;  // by plan and boundary
  std::vector<UnitTree::Mark> marks;            // by step: before it was applied
  std::vector<UnitId> pending;                  // of the current boundary, sorted
  uint32_t pending_steps = 0;

  struct Candidate {
    std::vector<bool> kept;  // by number in the window
    Strategy strategy;
  };
  std::optional<Window> window;
  std::deque<Candidate> queue;
  std::optional<UnitTree::Mark> shown;  // the floor under the state that was handed out
  KeySet considered;
  std::unordered_map<Digest, uint32_t> known;  // promises at the point it was handed out for
  PowerCoverage coverage;
  bool done = false;
};

void PowerExplorer::Work::make_plans() {
  const auto add = [this](LyingSync lies, uint64_t lied) {
    plans.push_back({std::move(lies), lied});
  };
  if (options.lies == Lies::kNone) {
    add({}, 0);
    return;
  }
  honest = Floor::compute(trace, *history, *options.model);
  honest_since.assign(history->units().size(), kNever);
  for (const Floor::Step& step : honest.steps) {
    for (const UnitId unit : step.units) honest_since[unit] = step.record;
  }
  if (options.lies == Lies::kAll) {
    add([](uint64_t) { return true; }, 0);
  } else if (options.lies == Lies::kOneFile) {
    add([this](uint64_t record) { return trace.find(record)->path == options.lying_path; }, 0);
  } else {
    for (const Floor::Step& step : honest.steps) {
      add([lied = step.record](uint64_t record) { return record == lied; }, step.record);
    }
  }
}

/// Begins the current round of the current plan.
void PowerExplorer::Work::start() {
  if (floor_of != plan) take_floor();
  apply_floor();
}

void PowerExplorer::Work::take_floor() {
  if (!marks.empty()) tree.rollback(marks.front());
  marks.clear();
  floor = Floor::compute(trace, *history, *options.model, plans[plan].lies);
  boundaries = boundaries_of(trace, floor, options.all_points);
  std::erase_if(boundaries,
                [this](const Boundary& each) { return each.record < options.from_record; });
  floor_of = plan;
  if (!exhausted[plan].empty()) return;
  exhausted[plan].assign(boundaries.size(), 0);
  coverage.windows += boundaries.size();
}

/// Applies the whole floor, so that going back only takes off.
void PowerExplorer::Work::apply_floor() {
  if (!marks.empty()) tree.rollback(marks.front());
  marks.clear();
  for (const Floor::Step& step : floor.steps) {
    marks.push_back(tree.mark());
    for (const UnitId unit : step.units) tree.apply(unit);
  }
  marks.push_back(tree.mark());
  pending.clear();
  for (UnitId unit = 0; unit < history->units().size(); ++unit) {
    if (!tree.has(unit)) pending.push_back(unit);
  }
  pending_steps = static_cast<uint32_t>(floor.steps.size());
  boundary = static_cast<uint32_t>(boundaries.size());
}

/// Goes to the next boundary, round or plan; false when there is none.
bool PowerExplorer::Work::advance() {
  if (plans.empty()) {
    make_plans();
    if (plans.empty()) return false;
    exhausted.resize(plans.size());
    start();
  }
  while (boundary == 0) {
    if (plan + 1 < plans.size()) {
      ++plan;
    } else if (round < kRounds) {
      plan = 0;
      ++round;
    } else {
      return false;
    }
    start();
  }
  enter(--boundary);
  return true;
}

void PowerExplorer::Work::enter(uint32_t index) {
  const Boundary& at = boundaries[index];
  tree.rollback(marks[at.steps]);
  const UnitId end = history->units_until(at.record);
  const auto beyond = std::lower_bound(pending.begin(), pending.end(), end);
  pending.erase(beyond, pending.end());
  for (; pending_steps > at.steps; --pending_steps) {
    const std::vector<UnitId>& back = floor.steps[pending_steps - 1].units;
    const auto middle = static_cast<std::ptrdiff_t>(pending.size());
    std::copy_if(back.begin(), back.end(), std::back_inserter(pending),
                 [end](UnitId unit) { return unit < end; });
    std::inplace_merge(pending.begin(), pending.begin() + middle, pending.end());
  }
}

/// At least one unit that a sync lied about, or else one that the next sync makes durable.
std::vector<uint32_t> PowerExplorer::Work::must_lack(const Window& at) const {
  const Boundary& here = boundaries[boundary];
  std::vector<uint32_t> units;
  if (options.lies != Lies::kNone) {
    for (uint32_t i = 0; i < at.size(); ++i) {
      const uint64_t since = honest_since[at.unit(i)];
      const bool returned = since < here.record || (since == here.record && !here.before_sync);
      if (returned) units.push_back(i);
    }
  } else if (here.before_sync && !options.all_points) {
    for (const UnitId unit : floor.steps[here.steps].units) units.push_back(at.local(unit));
  }
  return units;
}

bool PowerExplorer::Work::accept(const Window::Kept& kept, uint64_t hash, Strategy strategy) {
  if (coverage.considered >= options.max_considered) return false;
  ++coverage.considered;
  ++coverage.by_strategy[static_cast<size_t>(strategy)];
  if (!considered.insert(hash + mix(plan, boundary))) return true;
  queue.push_back({std::vector<bool>(kept.begin(), kept.end()), strategy});
  return true;
}

void PowerExplorer::Work::generate() {
  if (exhausted[plan][boundary] != 0) return;
  window.emplace(*history, pending, tree.applied());
  std::vector<uint32_t> lack = must_lack(*window);
  if (options.lies != Lies::kNone && lack.empty()) {
    exhausted[plan][boundary] = 1;  // nothing here differs from an honest disk
    --coverage.windows;
    return;
  }
  Candidates candidates(*history, *window, std::move(lack), options.bounds,
                        mix(boundaries[boundary].record, plan));
  bool within = true;
  candidates.round(round, [&](const Window::Kept& kept, uint64_t hash, Strategy strategy) {
    within = within && accept(kept, hash, strategy);
  });
  if (!within) return;
  if (candidates.exhausted()) {
    exhausted[plan][boundary] = 1;
    ++coverage.exhausted;
  }
  if (candidates.cut()) ++coverage.cut;
}

/// Builds the next candidate; nothing if it is known.
std::optional<PowerState> PowerExplorer::Work::try_next() {
  const Candidate candidate = std::move(queue.front());
  queue.pop_front();
  const Boundary& here = boundaries[boundary];
  shown = tree.mark();
  PowerState state;
  for (uint32_t i = 0; i < window->size(); ++i) {
    if (candidate.kept[i]) {
      tree.apply(window->unit(i));
    } else {
      state.lost.push_back(window->unit(i));
    }
  }
  state.point.record = here.record;
  state.tree = tree.tree().digest();
  state.promises = here.promises;
  state.strategy = candidate.strategy;
  state.lied = plans[plan].lied;
  Digest key = state.tree;
  key += here.effects;
  if (options.all_points) key += digest_of_words(std::array{here.record}, 13);
  const auto [it, fresh] = known.try_emplace(key, here.promises);
  if (!fresh && it->second >= here.promises) return std::nullopt;
  it->second = here.promises;
  ++coverage.distinct;
  if (state.tree.high % options.shards != options.shard) return std::nullopt;
  return state;
}

Result<PowerExplorer> PowerExplorer::create(const Trace& trace, const PowerOptions& options) {
  EVERYCRASH_ASSERT(options.model != nullptr);
  if (options.tear_bytes != 4096 && options.tear_bytes != 512) {
    return fail(ErrorKind::kUsage,
                "writes can be torn at 4096 or at 512 bytes\n"
                "Give --tear 4096 or --tear 512.");
  }
  if (options.shards == 0 || options.shard >= options.shards) {
    return fail(ErrorKind::kUsage,
                fmt::format("there is no shard {} of {}", options.shard + 1, options.shards));
  }
  Result<UnitHistory> history = expand(trace, *options.model, {.tear_bytes = options.tear_bytes});
  if (!history) return tl::unexpected(history.error());
  auto owned = std::make_shared<const UnitHistory>(std::move(*history));
  Result<UnitTree> tree = UnitTree::create(trace, *owned);
  if (!tree) return tl::unexpected(tree.error());
  return PowerExplorer(std::make_unique<Work>(trace, options, std::move(owned), std::move(*tree)));
}

PowerExplorer::PowerExplorer(std::unique_ptr<Work> work) : work_(std::move(work)) {}
PowerExplorer::PowerExplorer(PowerExplorer&&) noexcept = default;
PowerExplorer& PowerExplorer::operator=(PowerExplorer&&) noexcept = default;
PowerExplorer::~PowerExplorer() = default;

std::optional<PowerState> PowerExplorer::next() {
  Work& work = *work_;
  while (!work.done) {
    if (work.shown) {
      work.tree.rollback(*work.shown);
      work.shown.reset();
    }
    if (work.queue.empty()) {
      const bool full = work.coverage.considered >= work.options.max_considered;
      if (full || !work.advance()) {
        work.coverage.finished = !full;
        work.done = true;
        break;
      }
      work.generate();
      continue;
    }
    if (work.coverage.distinct >= work.options.max_states) {
      work.done = true;
      break;
    }
    if (std::optional<PowerState> state = work.try_next()) return state;
  }
  return std::nullopt;
}

const FileSystem& PowerExplorer::tree() const {
  return work_->tree.tree();
}

Result<FileSystem> PowerExplorer::build(const PowerState& state) const {
  return build_state(work_->trace, *work_->history, state.point.record, state.lost);
}

const PowerCoverage& PowerExplorer::coverage() const {
  return work_->coverage;
}

std::shared_ptr<const UnitHistory> PowerExplorer::shared_history() const {
  return work_->history;
}

const UnitHistory& PowerExplorer::history() const {
  return *work_->history;
}

Result<FileSystem> build_state(const Trace& trace, const UnitHistory& history, uint64_t point,
                               const std::vector<UnitId>& lost) {
  Result<UnitTree> tree = UnitTree::create(trace, history);
  if (!tree) return tl::unexpected(tree.error());
  if (point > trace.records().size()) {
    return fail(ErrorKind::kUsage, fmt::format("the trace has no record {}", point));
  }
  auto next_lost = lost.begin();
  for (UnitId unit = 0; unit < history.units_until(point); ++unit) {
    while (next_lost != lost.end() && *next_lost < unit) ++next_lost;
    if (next_lost == lost.end() || *next_lost != unit) tree->apply(unit);
  }
  return tree->tree();
}

}  // namespace everycrash
