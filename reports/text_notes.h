// The part of the terminal report that shows notes; internal to text_report.cc.
#pragma once

#include <string>

#include "reports/text_finding.h"

namespace everycrash::reports {

/// All notes, by rule, a line for each place in the program; "" if there are none. Verbose: with
/// whole call stacks.
[[nodiscard]] std::string text_of_notes(const TextContext& context);

}  // namespace everycrash::reports
