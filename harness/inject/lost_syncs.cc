#include "harness/inject/lost_syncs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

namespace everycrash {
namespace {

std::string target_of(const Operation& sync) {
  if (syncs_all(sync.kind)) {
    return fmt::format("{}()", name_of(sync.kind));
  }
  return sync.path.empty() ? "." : std::string(sync.path);
}

bool is_lost(const Operation& record) {
  return is_sync(record.kind) && record.has(format::kLost);
}

}  // namespace

bool has_lost_syncs(const Trace& trace) {
  const auto records = trace.records();
  return std::any_of(records.begin(), records.end(), is_lost);
}

std::string describe_lost_syncs(const Trace& trace) {
  std::map<std::string, size_t> lost;
  size_t total = 0;
  for (const Operation& record : trace.records()) {
    if (!is_lost(record)) continue;
    ++lost[target_of(record)];
    ++total;
  }
  if (total == 0) return "no sync lost";
  std::string text = fmt::format("{} sync{} lost:", total, total == 1 ? "" : "s");
  const char* separator = " ";
  for (const auto& [target, count] : lost) {
    text += fmt::format("{}{} {}", separator, target, count);
    separator = ", ";
  }
  return text;
}

}  // namespace everycrash
