#include "harness/check/oracles/spare_copy.h"

#include <string>

#include "harness/trace/name_guesses.h"

namespace everycrash {

bool is_spared_by_original(std::string_view path, const History& history, const FileSystem& state) {
  const std::string original = original_of(path);
  const auto name = history.judged().find(original);
  if (name == history.judged().end()) return false;
  const NodeId node = state.find(original);
  return node != kNoNode && name->second.latest(content_of(state.node(node))).has_value();
}

}  // namespace everycrash
