// What the parts of the terminal report share.
#pragma once

#include <cstdint>

#include "reports/result.h"
#include "reports/terminal.h"

namespace everycrash::reports {

enum class Detail : uint8_t {
  kQuiet,    ///< findings and summary, a line or two each
  kNormal,   ///< what somebody needs who sees the finding for the first time
  kVerbose,  ///< whole stacks, every count, every crash point
};

/// Points into the caller's document.
struct TextContext {
  const ResultDocument& document;
  Style style;
  Detail detail;
};

}  // namespace everycrash::reports
