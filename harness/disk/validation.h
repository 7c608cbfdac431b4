// Holding a persistence model to account: every tree that a real file system shows after a crash
// must be legal in the model.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/disk/disk.h"
#include "harness/disk/litmus.h"
#include "harness/disk/schedule.h"

namespace everycrash {

struct ValidationOptions {
  size_t schedules = 3;    ///< a workload
  size_t images_max = 24;  ///< mounted a schedule; which ones is chosen by the seed
  uint64_t seed = 1;
  const std::atomic<bool>* interrupted = nullptr;  ///< set from a signal handler; may be null
};

/// A tree that was there and that the model does not allow.
struct Disagreement {
  Litmus workload;  ///< shrunk
  std::string schedule;
  std::string after;               ///< the last operation that had returned
  std::string found;               ///< the real tree, or why it could not be mounted
  std::vector<std::string> legal;  ///< what the model allows there
};

/// What some workloads showed; sums up.
struct Agreement {
  uint64_t workloads = 0;
  uint64_t impossible = 0;    ///< workloads that need what the file system does not have
  uint64_t real_states = 0;   ///< mounted
  uint64_t trees = 0;         ///< distinct trees, per workload
  uint64_t legal = 0;         ///< of these, legal in the model
  uint64_t in_flight = 0;     ///< legal only because a write was on its way: see in_flight_rules()
  uint64_t undecided = 0;     ///< too many legal sets to tell
  uint64_t model_states = 0;  ///< distinct trees that the model allows at some point
  uint64_t model_seen = 0;    ///< of these, seen on the real file system
  std::vector<Disagreement> disagreements;
  Agreement& operator+=(const Agreement& other);
};

/// RULES without the order that a heuristic gives to data which it only starts to write: a commit
/// in the same milliseconds does not wait for it. Documentation promises that order, so the models
/// have it; what a kernel does in that moment is counted apart. Nothing where no such heuristic is.
[[nodiscard]] std::optional<PersistenceRules> in_flight_rules(const PersistenceRules& rules);

/// Runs WORKLOAD on DISK and compares with the model of its file system. Fails with kHarness where
/// the disk does, or the workload cannot happen.
[[nodiscard]] Result<Agreement> validate_workload(Disk& disk, const Litmus& workload,
                                                  const ValidationOptions& options);

/// Runs WORKLOADS on as many disks as MAKE_DISK is asked for (JOBS), each in a thread of its own.
/// DONE is called after each workload, by one thread at a time; it returns false to end early.
struct ValidationJobs {
  std::function<Result<std::unique_ptr<Disk>>(size_t job)> make_disk;
  size_t jobs = 1;
  std::function<bool(const Litmus& workload, const Agreement& agreement)> done;
};
[[nodiscard]] Status validate_all(const std::vector<Litmus>& workloads,
                                  const ValidationOptions& options, const ValidationJobs& jobs);

}  // namespace everycrash
