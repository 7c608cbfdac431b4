// Ways to save that are wrong from the start. Used only under `--break`.
#pragma once

#include <string>
#include <string_view>

#include "scenarios/common/failure.h"

namespace scenarios::state_manager {

/// Truncates the target and writes into it, then fsync: a crash leaves it empty or cut.
[[nodiscard]] Outcome overwrite_in_place(int directory_fd, const std::string& name,
                                         std::string_view content);

/// Writes and syncs a temp file on another file system, then moves it as `mv` does across file
/// systems: copy into the target, remove the source. The copy is not atomic.
[[nodiscard]] Outcome move_from_elsewhere(int directory_fd, const std::string& name,
                                          std::string_view content);

/// Writes the temp file through a stream and flushes that: the kernel has it, the disk does not.
[[nodiscard]] Outcome write_with_flush_only(int directory_fd, const std::string& temp_name,
                                            std::string_view content);

/// Writes the temp file with one call and looks at no result.
void write_and_hope(int directory_fd, const std::string& temp_name, std::string_view content);

}  // namespace scenarios::state_manager
