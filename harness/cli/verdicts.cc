#include "harness/cli/verdicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace everycrash::cli {
namespace {

constexpr uint32_t kNotKept = ~uint32_t{0};

std::optional<Digest> digest_from(std::string_view hex) {
  if (hex.size() != 32) return std::nullopt;
  // Taken apart as Digest::hex() writes it: the high half first.
  Digest digest;
  const auto read = [](std::string_view text, uint64_t& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    return error == std::errc() && end == text.data() + text.size();
  };
  if (!read(hex.substr(0, 16), digest.high) || !read(hex.substr(16), digest.low))
    return std::nullopt;
  return digest;
}

std::optional<Complaint> complaint_from(const reports::ShardComplaint& told) {
  const std::optional<Judge> judge = judge_named(told.judge);
  const std::optional<Verdict> verdict = verdict_named(told.verdict);
  const std::optional<Wrong> wrong = wrong_named(told.wrong);
  if (!judge || !verdict || !wrong) return std::nullopt;
  return Complaint{.judge = *judge,
                   .verdict = *verdict,
                   .path = told.path,
                   .message = told.message,
                   .wrong = *wrong,
                   .signal = told.signal,
                   .said = told.said};
}

std::string text_of(const std::vector<Complaint>& complaints) {
  std::string text;
  for (const Complaint& complaint : complaints) {
    text += fmt::format("{} {} {} {} {} {} {} {}{}{}", static_cast<int>(complaint.judge),
                        static_cast<int>(complaint.verdict), static_cast<int>(complaint.wrong),
                        complaint.signal, complaint.path.size(), complaint.message.size(),
                        complaint.said.size(), complaint.path, complaint.message, complaint.said);
  }
  return text;
}

tl::unexpected<Error> damaged() {
  return harness_error(
      "a shard's result is damaged: its verdicts cannot be read\nRun the shard again.");
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

void Verdicts::write(bool complete, reports::ShardMaterial& material) const {
  material.complete = complete && !full_;
  for (const std::vector<Complaint>& list : lists_) {
    std::vector<reports::ShardComplaint>& out = material.complaints.emplace_back();
    for (const Complaint& complaint : list) {
      out.push_back({.judge = name_of(complaint.judge),
                     .verdict = name_of(complaint.verdict),
                     .path = complaint.path,
                     .message = complaint.message,
                     .wrong = name_of(complaint.wrong),
                     .signal = complaint.signal,
                     .said = complaint.said});
    }
  }
  for (const auto& [state, list] : states_) {
    if (list != 0 || !material.complete) material.states.push_back({state.hex(), list});
  }
  std::sort(material.states.begin(), material.states.end(),
            [](const auto& a, const auto& b) { return a.state < b.state; });
}

Result<Verdicts> Verdicts::told_by(const std::vector<reports::ShardMaterial>& shards) {
  Verdicts verdicts;
  for (const reports::ShardMaterial& shard : shards) verdicts.complete_.push_back(shard.complete);
  for (const reports::ShardMaterial& shard : shards) {
    std::vector<std::vector<Complaint>> lists;
    for (const std::vector<reports::ShardComplaint>& told : shard.complaints) {
      std::vector<Complaint>& list = lists.emplace_back();
      for (const reports::ShardComplaint& complaint : told) {
        std::optional<Complaint> read = complaint_from(complaint);
        if (!read) return damaged();
        list.push_back(std::move(*read));
      }
    }
    for (const reports::ShardVerdict& told : shard.states) {
      const std::optional<Digest> state = digest_from(told.state);
      if (!state || told.complaints >= lists.size()) return damaged();
      verdicts.remember(*state, lists[told.complaints]);
    }
  }
  return verdicts;
}

}  // namespace everycrash::cli
