// Why what a file held says nothing about what it may hold after a crash (history.h).
#pragma once

#include <cstdint>

namespace everycrash {

/// Why the versions of a file say nothing: how it is written.
enum class Flaw : uint8_t {
  kAppended,
  kUpdated,       ///< in place
  kMapped,        ///< through a memory mapping
  kAcrossSync,    ///< on after an fsync
  kAcrossOthers,  ///< on after other files were changed
  kAcrossPrint,   ///< on after something was printed
};
[[nodiscard]] const char* describe(Flaw flaw);  ///< "is appended to", ...

}  // namespace everycrash
