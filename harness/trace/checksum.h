// Checksums of the trace file, the same in the preload library and the tool.
#pragma once

#include <stdint.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "harness/trace/format.h"

namespace everycrash {

/// Of a record of SIZE bytes at RECORD (its own checksum field left out).
inline uint32_t record_checksum(const char* record, uint32_t size) {
  constexpr uint32_t kSkipped = 8;  // size and checksum
  return static_cast<uint32_t>(XXH3_64bits(record + kSkipped, size - kSkipped));
}

/// Of a sealed file header.
inline uint32_t header_checksum(const format::FileHeader& header) {
  format::FileHeader copy;
  memcpy(&copy, &header, sizeof copy);
  copy.header_checksum = 0;
  return static_cast<uint32_t>(XXH3_64bits(&copy, sizeof copy));
}

}  // namespace everycrash
