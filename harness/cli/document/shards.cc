#include "harness/cli/document/shards.h"

#include <charconv>
#include <optional>
#include <utility>

namespace everycrash::cli {
namespace {

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
                   .said = told.said,
                   .run_end = told.run_end};
}

tl::unexpected<Error> damaged() {
  return harness_error(
      "a shard's result is damaged: its verdicts cannot be read\nRun the shard again.");
}

}  // namespace

void write_shard(const ToldShard& told, reports::ShardMaterial& material) {
  material.complete = told.complete;
  for (const std::vector<Complaint>& list : told.complaints) {
    std::vector<reports::ShardComplaint>& out = material.complaints.emplace_back();
    for (const Complaint& complaint : list) {
      out.push_back({.judge = name_of(complaint.judge),
                     .verdict = name_of(complaint.verdict),
                     .path = complaint.path,
                     .message = complaint.message,
                     .run_end = complaint.run_end,
                     .wrong = name_of(complaint.wrong),
                     .signal = complaint.signal,
                     .said = complaint.said});
    }
  }
  for (const auto& [state, list] : told.states) material.states.push_back({state.hex(), list});
}

Result<std::vector<ToldShard>> read_shards(const std::vector<reports::ShardMaterial>& shards) {
  std::vector<ToldShard> read;
  for (const reports::ShardMaterial& material : shards) {
    ToldShard& shard = read.emplace_back(ToldShard{.complete = material.complete});
    for (const std::vector<reports::ShardComplaint>& told : material.complaints) {
      std::vector<Complaint>& list = shard.complaints.emplace_back();
      for (const reports::ShardComplaint& complaint : told) {
        std::optional<Complaint> whole = complaint_from(complaint);
        if (!whole) return damaged();
        list.push_back(std::move(*whole));
      }
    }
    for (const reports::ShardVerdict& told : material.states) {
      const std::optional<Digest> state = digest_from(told.state);
      if (!state || told.complaints >= shard.complaints.size()) return damaged();
      shard.states.emplace_back(*state, told.complaints);
    }
  }
  return read;
}

}  // namespace everycrash::cli
