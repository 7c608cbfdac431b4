// What is different between two trees, for a person.
#pragma once

#include <string>
#include <vector>

#include "harness/model/file_system.h"

namespace everycrash {

/// One path that differs.
struct Difference {
  enum class Kind : uint8_t {
    kMissing,     ///< expected, not there
    kExtra,       ///< there, not expected
    kContent,     ///< another content, type or link target
    kAttributes,  ///< another mode, owner or extended attribute
  } kind;
  std::string path;  ///< relative to the state directory
  std::string text;  ///< "state.json: 812 bytes expected, 0 found"
};

/// Globs of paths (fnmatch(3); '*' matches '/' too). One that matches a folder covers all in it. A
/// glob without '/' matches the last part of a path as well.
using IgnoreGlobs = std::vector<std::string>;

/// True if one of GLOBS matches PATH.
[[nodiscard]] bool is_ignored(const std::string& path, const IgnoreGlobs& globs);

/// All differences, sorted by path; times never count, nor which names belong to one file. A folder
/// that is missing or extra is one difference.
[[nodiscard]] std::vector<Difference> find_differences(const FileSystem& expected,
                                                       const FileSystem& found,
                                                       const IgnoreGlobs& ignore);

/// Their texts, a line each; after LINES_MAX "and N more".
[[nodiscard]] std::string describe(const std::vector<Difference>& differences,
                                   size_t lines_max = 5);

}  // namespace everycrash
