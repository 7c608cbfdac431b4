#include "harness/cli/options/options.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>

namespace everycrash::cli {

Result<std::chrono::milliseconds> parse_duration(std::string_view text, std::string_view option) {
  const auto wrong = [&] {
    return fail(ErrorKind::kUsage,
                fmt::format("{} {}: not a time; write 250ms, 30s, 5m or 1h", option, text));
  };
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !(value >= 0) || value > 1e9) return wrong();
  const std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  double factor = 0;
  if (unit.empty() || unit == "s") factor = 1000;
  if (unit == "ms") factor = 1;
  if (unit == "m") factor = 60'000;
  if (unit == "h") factor = 3'600'000;
  if (factor == 0) return wrong();
  return std::chrono::milliseconds(static_cast<int64_t>(value * factor));
}

Result<Shard> parse_shard(std::string_view text) {
  const char* index = std::getenv("TEST_SHARD_INDEX");
  const char* total = std::getenv("TEST_TOTAL_SHARDS");
  unsigned i = 0;
  unsigned n = 0;
  int used = 0;
  if (text.empty() && index != nullptr && total != nullptr) {
    if (std::sscanf(index, "%u", &i) == 1 && std::sscanf(total, "%u", &n) == 1 && i < n)
      return Shard{i, n};
    return fail(ErrorKind::kUsage, "TEST_SHARD_INDEX must be a number below TEST_TOTAL_SHARDS");
  }
  if (text.empty()) return Shard{};
  const std::string copy(text);
  const bool read = std::sscanf(copy.c_str(), "%u/%u%n", &i, &n, &used) == 2;
  if (!read || static_cast<size_t>(used) != copy.size() || i < 1 || i > n) {
    return fail(ErrorKind::kUsage, fmt::format("--shard {}: write I/N with 1 <= I <= N", text));
  }
  return Shard{i - 1, n};
}

std::vector<CrashKind> crash_kinds_of(const TestOptions& options) {
  std::vector<CrashKind> kinds;
  for (const std::string& word : options.crash) {
    if (const std::optional<CrashKind> kind = crash_kind_named(word)) kinds.push_back(*kind);
  }
  return kinds;
}

std::vector<std::string> selectable_crash_kinds() {
  std::vector<std::string> words;
  for (const CrashKind kind : kCrashKinds) words.emplace_back(name_of(kind));
  return words;
}

}  // namespace everycrash::cli
