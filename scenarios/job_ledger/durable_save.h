// Replacing a file so that a crash at any moment leaves the old content or the new one.
#pragma once

#include <string>
#include <string_view>

#include "scenarios/common/failure.h"

namespace scenarios::job_ledger {

/// Temp file, fsync, rename over the target, fsync of the directory: once this has returned, no
/// crash takes the new content away. On failure before the rename the temp file is removed.
[[nodiscard]] Outcome save_durably(int directory_fd, const std::string& name,
                                   std::string_view content);

/// The same without both fsyncs: the mistake of `marker-not-durable`.
[[nodiscard]] Outcome save_for_now(int directory_fd, const std::string& name,
                                   std::string_view content);

}  // namespace scenarios::job_ledger
