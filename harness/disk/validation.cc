#include "harness/disk/validation.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_set>

#include "harness/disk/crash_run.h"
#include "harness/disk/legal_trees.h"
#include "harness/model/tree_text.h"
#include "harness/trace/workload_text.h"

namespace everycrash {
namespace {

constexpr size_t kLegalShown = 12;
constexpr int kShrinkingsMax = 60;  // attempts to leave a line out

/// One workload on one disk.
class Comparison {
 public:
  Comparison(Disk& disk, const Litmus& workload, const ValidationOptions& options)
      : disk_(disk), workload_(workload), options_(options) {}

  Result<Agreement> run() {
    const Result<Trace> trace = record_text(workload_.script);
    if (!trace) return tl::unexpected(trace.error());
    Result<std::unique_ptr<LegalTrees>> legal = LegalTrees::of(*trace, *disk_.file_system().model);
    if (!legal) return tl::unexpected(legal.error());
    loose_rules_ = in_flight_rules(*disk_.file_system().model);
    if (loose_rules_) {
      Result<std::unique_ptr<LegalTrees>> loose = LegalTrees::of(*trace, *loose_rules_);
      if (!loose) return tl::unexpected(loose.error());
      loose_ = std::move(*loose);
    }
    sum_.workloads = 1;
    for (const Schedule& schedule : schedules_for(*trace, options_.schedules, options_.seed)) {
      if (Status ok = run_schedule(*trace, schedule, **legal); !ok) {
        if (ok.error().kind != ErrorKind::kUnavailable) return tl::unexpected(ok.error());
        sum_.impossible = 1;
        return std::move(sum_);
      }
      if (!sum_.disagreements.empty()) break;  // one is enough to look at
    }
    sum_.trees = seen_.size();
    const std::unordered_set<Digest>& everywhere = (*legal)->everywhere();
    sum_.model_states = everywhere.size();
    for (const Digest& tree : seen_) sum_.model_seen += everywhere.count(tree);
    return std::move(sum_);
  }

 private:
  Status run_schedule(const Trace& trace, const Schedule& schedule, LegalTrees& legal) {
    Result<CrashRun> run = CrashRun::replay(disk_, trace, schedule, {.seed = options_.seed});
    if (!run) return tl::unexpected(run.error());
    for (const size_t number :
         chosen_states(run->states().size(), options_.images_max, options_.seed)) {
      const RealState& state = run->states()[number];
      const Result<RealTree> real = run->look(state);
      if (!real) return tl::unexpected(real.error());
      ++sum_.real_states;
      judge(trace, schedule, legal, state, *real);
      if (!sum_.disagreements.empty()) return {};
    }
    return {};
  }

  void judge(const Trace& trace, const Schedule& schedule, LegalTrees& legal,
             const RealState& state, const RealTree& real) {
    const std::optional<bool> allowed =
        real.tree ? legal.allow(real.tree->digest(), state.point) : false;
    const bool in_flight = allowed == false && real.tree && loose_ &&
                           loose_->allow(real.tree->digest(), state.point).value_or(true);
    if (real.tree && seen_.insert(real.tree->digest()).second) {
      sum_.legal += allowed.value_or(false) ? 1 : 0;
      sum_.undecided += allowed ? 0 : 1;
      sum_.in_flight += in_flight ? 1 : 0;
    }
    if (allowed.value_or(true) || in_flight) return;
    const Operation* last = trace.find(state.point);
    while (last != nullptr && !is_operation(last->kind)) last = trace.find(last->sequence - 1);
    sum_.disagreements.push_back({workload_, schedule.describe(trace),
                                  last != nullptr ? everycrash::describe(*last) : "nothing",
                                  real.tree ? tree_text(*real.tree) : real.mount_error,
                                  legal.texts(state.point, kLegalShown)});
  }

  Disk& disk_;
  const Litmus& workload_;
  const ValidationOptions& options_;
  std::optional<PersistenceRules> loose_rules_;
  std::unique_ptr<LegalTrees> loose_;
  std::unordered_set<Digest> seen_;
  Agreement sum_;
};

/// The smallest workload that still shows a disagreement, by leaving out lines.
Result<Disagreement> shrink(Disk& disk, Disagreement found, const ValidationOptions& options) {
  ValidationOptions thorough = options;
  thorough.schedules = std::max<size_t>(options.schedules, 12);
  thorough.images_max = std::max<size_t>(options.images_max, 200);
  bool smaller = true;
  for (int attempts = 0; smaller && attempts < kShrinkingsMax;) {
    smaller = false;
    for (const std::vector<std::string>& script : smaller_scripts(found.workload.script)) {
      const bool stop = options.interrupted != nullptr && *options.interrupted;
      if (++attempts > kShrinkingsMax || stop) break;
      const Result<Agreement> again =
          validate_workload(disk, {found.workload.name, script}, thorough);
      if (!again || again->disagreements.empty()) {
        if (disk.mounted()) return tl::unexpected(again.error());
        continue;
      }
      found = again->disagreements.front();
      smaller = true;
      break;
    }
  }
  return found;
}

}  // namespace

Agreement& Agreement::operator+=(const Agreement& other) {
  workloads += other.workloads;
  impossible += other.impossible;
  real_states += other.real_states;
  trees += other.trees;
  legal += other.legal;
  in_flight += other.in_flight;
  undecided += other.undecided;
  model_states += other.model_states;
  model_seen += other.model_seen;
  disagreements.insert(disagreements.end(), other.disagreements.begin(), other.disagreements.end());
  return *this;
}

std::optional<PersistenceRules> in_flight_rules(const PersistenceRules& rules) {
  if (rules.at_replace == Flush::kNothing && rules.at_close == CloseFlush::kNever) {
    return std::nullopt;
  }
  PersistenceRules loose = rules;
  if (rules.growth == Growth::kSizeFirst) {
    loose.at_replace = std::min(rules.at_replace, Flush::kSizes);  // places are given at once
    loose.close_flushes = Flush::kSizes;
  } else {
    loose.at_replace = Flush::kNothing;
    loose.at_close = CloseFlush::kNever;
  }
  return loose;
}

Result<Agreement> validate_workload(Disk& disk, const Litmus& workload,
                                    const ValidationOptions& options) {
  EVERYCRASH_ASSERT(disk.file_system().model != nullptr);
  return Comparison(disk, workload, options).run();
}

Status validate_all(const std::vector<Litmus>& workloads, const ValidationOptions& options,
                    const ValidationJobs& jobs) {
  std::mutex mutex;
  size_t next = 0;
  Status first_error;
  const auto work = [&](size_t job) -> Status {
    // A umask of its own: replays change it.
    if (unshare(CLONE_FS) != 0) return system_error("cannot part from other threads", errno);
    Result<std::unique_ptr<Disk>> disk = jobs.make_disk(job);
    if (!disk) return tl::unexpected(disk.error());
    for (;;) {
      size_t mine = 0;
      {
        const std::lock_guard lock(mutex);
        if (next >= workloads.size()) return {};
        mine = next++;
      }
      Result<Agreement> agreement = validate_workload(**disk, workloads[mine], options);
      if (!agreement) return tl::unexpected(agreement.error());
      for (Disagreement& found : agreement->disagreements) {
        Result<Disagreement> small = shrink(**disk, std::move(found), options);
        if (!small) return tl::unexpected(small.error());
        found = std::move(*small);
      }
      const std::lock_guard lock(mutex);
      if (!jobs.done(workloads[mine], *agreement)) next = workloads.size();
    }
  };
  std::vector<std::thread> threads;
  for (size_t job = 0; job < jobs.jobs; ++job) {
    threads.emplace_back([&, job] {
      const Status ended = work(job);
      const std::lock_guard lock(mutex);
      if (!ended && first_error) {
        first_error = ended;
        next = workloads.size();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return first_error;
}

}  // namespace everycrash
