// The report that a person reads on the terminal, drawn from the result document alone.
#pragma once

#include <string>

#include "reports/result.h"
#include "reports/text_context.h"

namespace everycrash::reports {

struct TextOptions {
  bool colour = false;
  Detail detail = Detail::kNormal;
};

/// The whole report, every line ended. Each finding's block ends in its reproduce command, alone on
/// its line. The last line of all is the summary or, with findings, the reproduce command of the
/// first one. Text from the workload comes out printable. The same input gives the same bytes.
/// Pure, thread-safe.
[[nodiscard]] std::string text_report(const ResultDocument& document, const TextOptions& options);

}  // namespace everycrash::reports
