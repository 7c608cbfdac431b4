#include "harness/campaign/verdicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace everycrash {
namespace {

constexpr uint32_t kNotKept = ~uint32_t{0};

std::string text_of(const std::vector<Complaint>& complaints) {
  std::string text;
  for (const Complaint& complaint : complaints) {
    text += fmt::format("{} {} {} {} {} {} {} {}{}{}{}", static_cast<int>(complaint.judge),
                        static_cast<int>(complaint.verdict), static_cast<int>(complaint.wrong),
                        complaint.signal, complaint.path.size(), complaint.message.size(),
                        complaint.said.size(), complaint.path, complaint.message, complaint.said,
                        complaint.run_end);
  }
  return text;
}

}  // namespace

uint32_t Verdicts::list_of(const std::vector<Complaint>& complaints) {
  if (complaints.empty()) return 0;
  std::string text = text_of(complaints);
  const auto known = list_by_text_.find(text);
  if (known != list_by_text_.end()) return known->second;
  if (text_bytes_ + text.size() > kTextMaxBytes && !told()) return kNotKept;
  text_bytes_ += text.size();
  const auto number = static_cast<uint32_t>(lists_.size());
  lists_.push_back(complaints);
  list_by_text_.emplace(std::move(text), number);
  return number;
}

void Verdicts::remember(const Digest& state, const std::vector<Complaint>& complaints) {
  const bool room = told() || states_.size() < kStatesMax;
  const uint32_t list = room ? list_of(complaints) : kNotKept;
  if (list == kNotKept) {
    full_ = true;
  } else {
    states_.emplace(state, list);
  }
}

const std::vector<Complaint>* Verdicts::find(const Digest& state) const {
  const auto known = states_.find(state);
  return known == states_.end() ? nullptr : &lists_[known->second];
}

const std::vector<Complaint>* Verdicts::find(const Digest& state, uint64_t split) const {
  const std::vector<Complaint>* known = find(state);
  if (known != nullptr || !told()) return known;
  return complete_[split % complete_.size()] ? &lists_.front() : nullptr;
}

ToldShard Verdicts::tell(bool complete) const {
  ToldShard told{.complete = complete && !full_, .complaints = lists_, .states = {}};
  for (const auto& [state, list] : states_) {
    if (list != 0 || !told.complete) told.states.emplace_back(state, list);
  }
  std::sort(told.states.begin(), told.states.end(), [](const auto& a, const auto& b) {
    return std::tie(a.first.high, a.first.low) < std::tie(b.first.high, b.first.low);
  });
  return told;
}

Result<Verdicts> Verdicts::told_by(const std::vector<ToldShard>& shards) {
  Verdicts verdicts;
  for (const ToldShard& shard : shards) verdicts.complete_.push_back(shard.complete);
  for (const ToldShard& shard : shards) {
    for (const auto& [state, list] : shard.states) {
      if (list >= shard.complaints.size()) {
        return harness_error(
            "a shard's result is damaged: its verdicts cannot be read\nRun the shard again.");
      }
      verdicts.remember(state, shard.complaints[list]);
    }
  }
  return verdicts;
}

}  // namespace everycrash
