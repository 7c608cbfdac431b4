// A file that is given to commands: EVERYCRASH_STDOUT, EVERYCRASH_EFFECTS.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "harness/base/error.h"

namespace everycrash {

/// Writes TEXT to PATH, whole. Fails with kHarness where that is not possible.
[[nodiscard]] Status write_file(const std::filesystem::path& path, std::string_view text);

/// What EVENTS hold of effects, a line each.
[[nodiscard]] std::string effect_lines(std::string_view events);

/// One such file; it is written only where it does not hold the text already. Not thread-safe.
class GivenFile {
 public:
  explicit GivenFile(std::filesystem::path path) : path_(std::move(path)) {}
  /// Makes the file hold TEXT, whatever a command did to it since; costs one look at it if it does.
  [[nodiscard]] Status hold(std::string_view text);
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::filesystem::path path_;
  std::string text_;
  struct stat written_ {};
};

}  // namespace everycrash
