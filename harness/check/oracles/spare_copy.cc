#include "harness/check/oracles/spare_copy.h"

#include <array>
#include <cctype>
#include <optional>

#include "harness/base/path_text.h"

namespace everycrash {
namespace {

constexpr std::array<std::string_view, 4> kSuffixes = {".bak", ".old", "-old", ".orig"};

/// Length of the "~" or ".~3~" (GNU's numbered copies) at the end of NAME.
size_t tilde_suffix(std::string_view name) {
  if (!name.ends_with('~')) return 0;
  size_t start = name.size() - 1;
  while (start > 0 && std::isdigit(static_cast<unsigned char>(name[start - 1])) != 0) --start;
  const bool is_numbered = start + 1 < name.size() && name.substr(0, start).ends_with(".~");
  return is_numbered ? name.size() - start + 2 : 1;
}

}  // namespace

std::string original_of(std::string_view path) {
  const std::string_view name = base_name(path);
  size_t suffix = tilde_suffix(name);
  for (const std::string_view each : kSuffixes) {
    if (name.ends_with(each)) suffix = each.size();
  }
  if (suffix == 0 || suffix == name.size()) return "";
  return std::string(path.substr(0, path.size() - suffix));
}

bool is_spared_by_original(std::string_view path, const History& history, const FileSystem& state) {
  const std::string original = original_of(path);
  const auto name = history.judged().find(original);
  if (name == history.judged().end()) return false;
  const NodeId node = state.find(original);
  return node != kNoNode && name->second.latest(content_of(state.node(node))).has_value();
}

}  // namespace everycrash
