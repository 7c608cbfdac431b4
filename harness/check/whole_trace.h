// What a run did that its trace does not tell: then nothing can be said on the ground of that
// trace.
#pragma once

#include <filesystem>
#include <string>

#include "harness/base/error.h"
#include "harness/trace/trace.h"

namespace everycrash {

/// Why TRACE tells less than the run did: it ran full, or names something that cannot be recorded.
/// "" if it tells all. (That io_uring was refused is no reason, since the workload did without.)
[[nodiscard]] std::string find_missing_calls(const Trace& trace);

/// How DIRECTORY, as the run left it, differs from what the calls of TRACE leave: a line each, some
/// of them; "" if it does not. Modes, owners and times do not count: the kernel changes them by
/// itself.
[[nodiscard]] Result<std::string> find_unrecorded_changes(const Trace& trace,
                                                          const std::filesystem::path& directory);

}  // namespace everycrash
