// The evidence of findings, as the result document shows it: bounded over all of them.
#pragma once

#include <cstdint>

#include "harness/campaign/evidence_facts.h"
#include "reports/result.h"

namespace everycrash::cli {

/// Not thread-safe.
class EvidenceWriter {
 public:
  [[nodiscard]] reports::Evidence write(const EvidenceFacts& facts);

 private:
  uint64_t rows_left_ = 4000;         // of trees
  uint64_t bytes_left_ = 256 * 1024;  // of files
};

}  // namespace everycrash::cli
