// Every tree that a persistence model allows after a power failure, for workloads of a few
// operations.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "harness/base/digest.h"
#include "harness/base/error.h"
#include "harness/model/floor.h"
#include "harness/model/persistence_model.h"
#include "harness/model/unit_tree.h"
#include "harness/trace/trace.h"

namespace everycrash {

/// The legal sets of one trace under one model, enumerated point by point and remembered. Refers to
/// the trace. One thread.
class LegalTrees {
 public:
  static constexpr uint64_t kSetsMax = 50'000;  ///< of units, at one point

  /// Fails with kHarness where the trace contradicts itself.
  static Result<std::unique_ptr<LegalTrees>> of(const Trace& trace, const PersistenceRules& rules);

  /// True if TREE is legal when the power fails right after RECORD has returned. Nothing where
  /// there are too many sets to try.
  [[nodiscard]] std::optional<bool> allow(const Digest& tree, uint64_t record);
  /// Digests of all trees that are legal at some point of the trace. Points with too many sets are
  /// left out.
  [[nodiscard]] const std::unordered_set<Digest>& everywhere();
  /// The legal trees at RECORD as tree_text(), sorted, at most LIMIT.
  [[nodiscard]] std::vector<std::string> texts(uint64_t record, size_t limit);

 private:
  using Trees = std::unordered_set<Digest>;
  LegalTrees(const Trace& trace, std::unique_ptr<UnitHistory> history, UnitTree tree, Floor floor)
      : trace_(trace),
        history_(std::move(history)),
        tree_(std::move(tree)),
        floor_(std::move(floor)) {}
  const std::optional<Trees>& at(uint64_t record);
  /// Calls WITH for each legal tree at RECORD, equal ones again; false if there are too many sets.
  template <typename With>
  bool enumerate(uint64_t record, With&& with);

  const Trace& trace_;
  std::unique_ptr<UnitHistory> history_;  // the tree refers to it
  UnitTree tree_;
  Floor floor_;
  std::map<uint64_t, std::optional<Trees>> known_;
  std::optional<Trees> everywhere_;
};

}  // namespace everycrash
