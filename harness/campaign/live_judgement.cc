#include "harness/campaign/live_judgement.h"

#include <fmt/format.h>

#include "harness/model/difference.h"

namespace everycrash {

Result<StateView> LiveStates::make(size_t number) {
  wandering_.clear();
  Result<StateView> live = live_->make(number);
  if (!live || !live->unavailable.empty()) return live;
  const Result<StateView> recorded = rebuilt_->make(number);
  if (!recorded) return recorded;
  for (const Difference& difference : find_differences(*recorded->tree, *live->tree, {})) {
    if (difference.kind != Difference::Kind::kAttributes) wandering_.insert(difference.path);
  }
  return live;
}

bool LiveStates::wanders(const std::string& path) const {
  for (size_t end = path.size(); end != std::string::npos && end != 0;
       end = path.rfind('/', end - 1)) {
    if (wandering_.contains(path.substr(0, end))) return true;
  }
  return false;
}

Result<std::vector<Complaint>> LiveJudgement::judge(const StateView& state) {
  Result<std::vector<Complaint>> complaints = judge_->judge(state);
  if (!complaints) return complaints;
  for (Complaint& complaint : *complaints) {
    const bool by_versions =
        complaint.judge == Judge::kHalfFile || complaint.judge == Judge::kAcknowledged;
    if (!by_versions || !states_.wanders(complaint.path)) continue;
    complaint.verdict = Verdict::kNotMeasured;
    complaint.wrong = Wrong::kIncomparable;
    complaint.message = fmt::format(
        "{} is not the same in each run, so nothing tells whether it is whole; give a checker",
        complaint.path);
  }
  return complaints;
}

}  // namespace everycrash
