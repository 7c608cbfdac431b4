// Source text for explanations. Functions without state, thread-safe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace everycrash {

struct SourceExcerpt {
  uint32_t first_line = 0;         ///< number of lines[0], from 1
  std::vector<std::string> lines;  ///< as in the file, without line ends, each at most 200 bytes
};

/// Lines LINE - AROUND to LINE + AROUND of FILE, as far as there are such. Nothing for a file that
/// does not exist, is no regular file, or is shorter than LINE. The file may have changed since the
/// program was built; nothing here can tell.
[[nodiscard]] std::optional<SourceExcerpt> read_excerpt(const std::filesystem::path& file,
                                                        uint32_t line, uint32_t around);

/// FILE as a person wants to read it: without "." and "..", relative to ROOT if it is below ROOT,
/// else as it is. FILE is not looked at. An empty ROOT is the current directory.
[[nodiscard]] std::string display_path(const std::filesystem::path& file,
                                       const std::filesystem::path& root = {});

}  // namespace everycrash
