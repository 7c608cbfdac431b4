#include "reports/merge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace everycrash::reports {
namespace {

struct ShardNumber {
  uint32_t index = 0;  // from 0
  uint32_t count = 0;
};

/// "2/4" as {1, 4}.
std::optional<ShardNumber> parse_number(std::string_view text) {
  uint32_t number = 0;
  ShardNumber shard;
  const char* const end = text.data() + text.size();
  const auto [slash, bad_number] = std::from_chars(text.data(), end, number);
  if (bad_number != std::errc() || slash == end || *slash != '/') return std::nullopt;
  const auto [rest, bad_count] = std::from_chars(slash + 1, end, shard.count);
  if (bad_count != std::errc() || rest != end || number < 1 || number > shard.count)
    return std::nullopt;
  shard.index = number - 1;
  return shard;
}

Result<ShardNumber> number_of(const NamedDocument& named) {
  const ResultDocument& document = named.document;
  const std::optional<ShardNumber> number = parse_number(document.shard);
  if (number && document.shard_material) return *number;
  return fail(ErrorKind::kUsage,
              fmt::format("{}: not a shard of a run\nOnly results of --shard I/N can be merged.",
                          named.name));
}

/// What two shards of one run must not differ in; "" if they do not.
std::string difference(const ResultDocument& a, const ResultDocument& b) {
  if (a.trace.identity != b.trace.identity) return "trace";
  if (a.tool_version != b.tool_version) return "version of everycrash";
  if (a.seed != b.seed) return "seed";
  if (!(a.judging == b.judging)) return "way of judging (--check, --recover, --oracle, ...)";
  if (a.workload != b.workload) return "workload";
  if (a.state_directory != b.state_directory) return "state directory";
  if (a.crash_kinds != b.crash_kinds) return "choice of --crash";
  if (a.models != b.models) return "choice of --fs";
  if (!(a.shard_material->bounds == b.shard_material->bounds)) {
    return "bound (--max-states, --depth, --tear, --all-points, --strict, ...)";
  }
  return "";
}

Status check_together(const NamedDocument& first, const NamedDocument& other) {
  const std::string what = difference(first.document, other.document);
  if (what.empty()) return {};
  const char* const advice =
      first.document.trace.identity != other.document.trace.identity
          ? "Every 'everycrash test' records anew. Record once, with 'everycrash record --trace "
            "FILE',\nand give each shard the same file: 'everycrash explore FILE --shard I/N'."
          : "All shards of one run need the same options.";
  return fail(ErrorKind::kUsage,
              fmt::format("{} and {} are of different runs: each has another {}\n{}", first.name,
                          other.name, what, advice));
}

/// What DOCUMENT says of the run, without what its shard found.
ResultDocument common_part(const ResultDocument& document) {
  ResultDocument run;
  run.tool_version = document.tool_version;
  run.command = document.command;
  run.workload = document.workload;
  run.state_directory = document.state_directory;
  run.judging = document.judging;
  run.trace = document.trace;
  run.seed = document.seed;
  run.crash_kinds = document.crash_kinds;
  run.models = document.models;
  return run;
}

Status check_all_there(const std::vector<std::optional<ShardMaterial>>& shards) {
  std::vector<std::string> missing;
  for (size_t i = 0; i < shards.size(); ++i) {
    if (!shards[i]) missing.push_back(fmt::format("{}/{}", i + 1, shards.size()));
  }
  if (missing.empty()) return {};
  return fail(ErrorKind::kUsage, fmt::format("shard {} is missing\nGive the results of all {}.",
                                             fmt::join(missing, ", "), shards.size()));
}

}  // namespace

Result<JoinedShards> join_shards(std::vector<NamedDocument> documents) {
  if (documents.empty()) return fail(ErrorKind::kUsage, "there is no result to merge");
  const Result<ShardNumber> first = number_of(documents.front());
  if (!first) return tl::unexpected(first.error());
  if (first->count > documents.size() + 100'000) {
    return fail(ErrorKind::kUsage, fmt::format("{}: one of {} shards; most of them are missing",
                                               documents.front().name, first->count));
  }
  std::vector<std::optional<ShardMaterial>> found(first->count);
  JoinedShards joined{common_part(documents.front().document), {}};
  for (const NamedDocument& named : documents) {
    const Result<ShardNumber> number = number_of(named);
    if (!number) return tl::unexpected(number.error());
    if (number->count != first->count) {
      return fail(ErrorKind::kUsage,
                  fmt::format("{} is a shard of {}, {} one of {}\nAll must be of one run.",
                              documents.front().name, first->count, named.name, number->count));
    }
    if (Status ok = check_together(documents.front(), named); !ok)
      return tl::unexpected(ok.error());
    std::optional<ShardMaterial>& place = found[number->index];
    if (place) {
      return fail(ErrorKind::kUsage,
                  fmt::format("{}: shard {} was given already", named.name, named.document.shard));
    }
    place = named.document.shard_material;
    joined.run.interrupted = joined.run.interrupted || named.document.interrupted;
  }
  if (Status ok = check_all_there(found); !ok) return tl::unexpected(ok.error());
  for (std::optional<ShardMaterial>& material : found)
    joined.shards.push_back(std::move(*material));
  return joined;
}

}  // namespace everycrash::reports
