// Trees and files of a finding, put side by side. Pure functions, thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "harness/model/file_system.h"
#include "reports/result.h"

namespace everycrash::cli {

inline constexpr size_t kTreeRowsMax = 300;

/// Three trees; what is null is not known.
struct ThreeTrees {
  const FileSystem* before;
  const FileSystem* crash;
  const FileSystem* after;
};

/// Adds at most ROWS_MAX rows to EVIDENCE, those that differ first, and counts what is left out.
/// Returns the number of rows.
size_t add_tree_rows(reports::Evidence& evidence, const ThreeTrees& trees, size_t rows_max);

/// Three moments of one file.
struct ThreeFiles {
  const FileSystem* old_tree;
  const FileSystem* new_tree;  ///< may be null
  const FileSystem* found;
};

/// PATH at these moments: whole where it is small, else from shortly before the first byte that is
/// found and not as it was to be. At most BYTES_MAX bytes in all.
[[nodiscard]] reports::FileVersions file_versions(const std::string& path, const ThreeFiles& trees,
                                                  int64_t bytes_max);

}  // namespace everycrash::cli
