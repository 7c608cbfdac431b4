// What `everycrash replay` builds again.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "harness/check/history.h"
#include "harness/check/promises.h"
#include "harness/effects/found_effects.h"
#include "harness/effects/sink_memory.h"
#include "harness/model/file_system.h"

namespace everycrash::cli {

/// The state of a finding, and what had come out of the program by then.
struct ReplayedState {
  FileSystem tree;
  std::string printed;
  std::string events;
  SinkMemory sink{SinkOptions{}};  ///< what the receiver had done by then
  // Of the run that crashed last, where that is not the recorded one.
  std::optional<History> history;
  std::optional<Promises> promises;
  std::optional<FoundEffects> effects;
  size_t printed_before = 0;
};

}  // namespace everycrash::cli
