// What is said of one state, on the terminal.
#pragma once

#include <vector>

#include "harness/check/verdict.h"

namespace everycrash::cli {

/// Prints COMPLAINTS, "survived" if there are none; the exit status that they stand for.
int print_complaints(const std::vector<Complaint>& complaints);

}  // namespace everycrash::cli
