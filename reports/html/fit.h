// Making a result document small enough for one page. Pure, thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/result.h"

namespace everycrash::reports {

/// A document as JSON, and what it lacks, a sentence each.
struct Fitted {
  std::string json;
  std::vector<std::string> left_out;
};

/// DOCUMENT in at most BYTES_MAX bytes: what a reader misses least goes first.
[[nodiscard]] Fitted fit(ResultDocument document, size_t bytes_max);

}  // namespace everycrash::reports
