// Judging many crash states by several workers at once.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/base/error.h"
#include "harness/check/verdict.h"
#include "harness/model/file_system.h"
#include "harness/model/unit.h"

namespace everycrash {

class History;
class Promises;
struct FoundEffects;

/// A crash state as a judge sees it; valid until the maker is asked for the next one.
struct StateView {
  const FileSystem* tree = nullptr;
  uint64_t record = ~uint64_t{0};  ///< up to this one things had happened; all = the end of the run
  std::string_view printed;        ///< all that had been printed by then
  std::string_view events;         ///< all lines of $EVERYCRASH_EVENTS by then
  int64_t cut = -1;                ///< of a write at `record`: so many of its bytes; -1 = all
  const std::vector<UnitId>* lost = nullptr;  ///< after a power loss: what is not on disk
  /// What the run did that this state is of, what it promised, and what it did to the outside,
  /// where it is not the recorded run; `record` is of that run. So many bytes of `printed` are of
  /// runs before it.
  const History* history = nullptr;
  const FileSystem* finished = nullptr;  ///< what another run than the recorded one made to its end
  const Promises* promises = nullptr;
  const FoundEffects* effects = nullptr;
  size_t printed_before = 0;
  /// Not empty: why the run that was to make this state never came to it; it is not measured.
  std::string_view unavailable;
};

/// Builds states by number; one for each worker, used by its thread alone.
class StateMaker {
 public:
  virtual ~StateMaker() = default;
  /// Numbers come in increasing order. Fails with kHarness where the trace contradicts itself.
  virtual Result<StateView> make(size_t number) = 0;
};

/// Judges states; one for each worker, used by its thread alone.
class StateJudgement {
 public:
  virtual ~StateJudgement() = default;
  /// What is wrong with STATE; empty = nothing. An error ends the examination.
  virtual Result<std::vector<Complaint>> judge(const StateView& state) = 0;
};

/// The worst verdict of COMPLAINTS.
[[nodiscard]] Verdict worst_of(const std::vector<Complaint>& complaints);

/// What became of each state, by number.
struct Examined {
  std::vector<std::vector<Complaint>> complaints;
  std::vector<bool> judged;  ///< false: the time was over, or the run was interrupted, before it
  [[nodiscard]] size_t count_judged() const;
  /// The worst verdict of its complaints; not measured if it was not judged.
  [[nodiscard]] Verdict verdict(size_t number) const;
};

/// One worker: what it builds states with and what it judges them with.
struct Worker {
  std::unique_ptr<StateMaker> maker;
  std::unique_ptr<StateJudgement> judgement;
};

struct ExaminationOptions {
  std::optional<std::chrono::steady_clock::time_point> deadline;
  const std::atomic<bool>* interrupted = nullptr;  ///< set from a signal handler; may be null
  /// Called now and then, from one thread at a time: states done, states that failed.
  std::function<void(size_t done, size_t violated)> progress;
};

/// Judges the states numbered 0 to COUNT - 1. States are handed out in order, so a run that ends
/// early has judged a prefix (up to the number of workers). What is found does not depend on the
/// number of workers. Fails if a worker does, with its error.
[[nodiscard]] Result<Examined> examine(size_t count, std::vector<Worker>& workers,
                                       const ExaminationOptions& options);

}  // namespace everycrash
