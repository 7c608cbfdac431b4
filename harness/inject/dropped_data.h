// The state directory without the data that failed syncs have lost, though memory shows it.
#pragma once

#include <optional>
#include <string>

#include "harness/base/error.h"
#include "harness/model/file_system.h"
#include "harness/trace/trace.h"

namespace everycrash {

/// What is left of a finished run once the machine forgets what failed syncs could not write.
struct WithoutDropped {
  FileSystem tree;
  std::string files;  ///< whose data is gone: "state.json.tmp"
};

/// Nothing if no sync of TRACE failed that way (drops_data() in harness/model/floor.h). Everything
/// else is taken to be on disk.
[[nodiscard]] Result<std::optional<WithoutDropped>> without_dropped_data(const Trace& trace);

}  // namespace everycrash
