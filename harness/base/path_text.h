// The parts of a path, as text. Pure functions, thread-safe.
#pragma once

#include <string_view>

namespace everycrash {

/// "c" of "a/b/c", and of "c". Points into PATH.
[[nodiscard]] inline std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

/// "a/b" of "a/b/c"; "" where there is no folder. Points into PATH.
[[nodiscard]] inline std::string_view folder_of(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

}  // namespace everycrash
