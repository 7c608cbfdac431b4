// The names of errno values.
#pragma once

#include <stddef.h>

namespace everycrash::faults {

/// The errno called by SIZE bytes of NAME, 0 if there is none.
[[nodiscard]] int error_named(const char* name, size_t size);
/// Its name; null for a number that has none.
[[nodiscard]] const char* name_of_error(int error);

}  // namespace everycrash::faults
