#include "harness/model/legal_states_for_test.h"

#include <algorithm>
#include <set>

#include "harness/model/floor.h"
#include "harness/model/tree_text.h"
#include "harness/model/unit_tree.h"

namespace everycrash {
namespace {

/// Tries all sets of units over the floor, in the order of the trace.
class Bruteforce {
 public:
  static constexpr uint64_t kMostSets = 2'000'000;

  Bruteforce(const UnitHistory& history, UnitTree tree, const Floor& floor)
      : history_(history), tree_(std::move(tree)), kept_(history.units().size()) {
    for (const Floor::Step& step : floor.steps) {
      for (const UnitId unit : step.units) {
        kept_[unit] = true;
        floor_.insert(unit);
      }
    }
  }

  bool run() {
    decide(0);
    return sets_ <= kMostSets;
  }
  std::set<std::string> found_;

 private:
  void decide(UnitId unit) {
    if (sets_ > kMostSets) return;
    if (unit == kept_.size()) {
      ++sets_;
      build();
      return;
    }
    if (floor_.count(unit) != 0) {
      decide(unit + 1);
      return;
    }
    decide(unit + 1);
    kept_[unit] = true;
    if (may_be_kept(unit)) decide(unit + 1);
    kept_[unit] = false;
  }

  [[nodiscard]] bool may_be_kept(UnitId unit) const {
    const auto before = history_.before(unit);
    return std::all_of(before.begin(), before.end(), [this](UnitId id) {
      if (!kept_[id]) return false;
      return floor_.count(id) == 0 || !history_.hands_on(id) || may_be_kept(id);
    });
  }

  /// Partners must both be there, unless a sync carried one of them.
  [[nodiscard]] bool partners_agree() const {
    for (UnitId unit = 0; unit < kept_.size(); ++unit) {
      const UnitId partner = history_.unit(unit).partner;
      if (partner == kNoUnit || floor_.count(unit) != 0 || floor_.count(partner) != 0) continue;
      if (kept_[unit] != kept_[partner]) return false;
    }
    return true;
  }

  void build() {
    if (!partners_agree()) return;
    const UnitTree::Mark mark = tree_.mark();
    for (UnitId unit = 0; unit < kept_.size(); ++unit) {
      if (kept_[unit]) tree_.apply(unit);
    }
    if (digests_.insert(tree_.tree().digest()).second) found_.insert(tree_text(tree_.tree()));
    tree_.rollback(mark);
  }

  const UnitHistory& history_;
  UnitTree tree_;
  std::vector<bool> kept_;
  std::set<UnitId> floor_;
  std::set<Digest> digests_;
  uint64_t sets_ = 0;
};

}  // namespace

Result<std::vector<std::string>> legal_states(const Trace& trace, const PersistenceRules& rules,
                                              const ExpandOptions& options) {
  Result<UnitHistory> history = expand(trace, rules, options);
  if (!history) return tl::unexpected(history.error());
  Result<UnitTree> tree = UnitTree::create(trace, *history);
  if (!tree) return tl::unexpected(tree.error());
  Bruteforce sets(*history, std::move(*tree), Floor::compute(trace, *history, rules));
  if (!sets.run()) return fail(ErrorKind::kUsage, "too many sets of units to try them all");
  return std::vector<std::string>(sets.found_.begin(), sets.found_.end());
}

}  // namespace everycrash
