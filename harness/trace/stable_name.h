// point::stable_path() for those who may allocate.
#pragma once

#include <string>
#include <string_view>

#include "harness/trace/format.h"
#include "harness/trace/path_pattern.h"

namespace everycrash {

/// PATH without what differs from run to run: ids of processes, random letters. IS_PROCESS says
/// whether a number is the id of one.
template <typename IsProcess>
[[nodiscard]] std::string stable_name(std::string_view path, IsProcess is_process) {
  char text[format::kPathMax];
  return {text, point::stable_path(path.data(), path.size(), is_process, text, sizeof text)};
}

}  // namespace everycrash
