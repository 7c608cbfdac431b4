// What judges take from the moment of a crash, beside the tree and what had been printed and done
// to the outside by then.
#pragma once

#include <cstdint>
#include <vector>

namespace everycrash {

class History;
struct FoundEffects;

/// The stages of one run, between which judges see the same: which of the files that the run makes
/// had been finished once, so that half of one is held against it, and which files that are effects
/// it had taken away again. Immutable, thread-safe.
class Stages {
 public:
  Stages() = default;
  Stages(const History& history, const FoundEffects& effects);

  /// The stage right after RECORD, from 0. Two states of the run are judged alike if their trees,
  /// outputs and stages are the same.
  [[nodiscard]] uint64_t of(uint64_t record) const;

 private:
  std::vector<uint64_t> begins_;  // records, ascending: each begins a stage
};

}  // namespace everycrash
