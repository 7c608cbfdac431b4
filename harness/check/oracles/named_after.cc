#include "harness/check/oracles/named_after.h"

#include "harness/base/path_text.h"

namespace everycrash {
namespace {

/// "status" of "var/status.json".
std::string_view stem_of(std::string_view path) {
  const std::string_view base = base_name(path);
  const size_t dot = base.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? base : base.substr(0, dot);
}

}  // namespace

bool is_named_after(std::string_view name, std::string_view path) {
  return name.find(stem_of(path)) != std::string_view::npos;
}

}  // namespace everycrash
