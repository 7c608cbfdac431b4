#include "harness/inject/faults/errors.h"

#include <errno.h>
#include <string.h>

namespace everycrash::faults {

int error_named(const char* name, size_t size) {
  constexpr int kErrorsMax = 134;
  for (int error = 1; error < kErrorsMax; ++error) {
    const char* known = strerrorname_np(error);
    if (known != nullptr && strlen(known) == size && memcmp(known, name, size) == 0) return error;
  }
  return 0;
}

const char* name_of_error(int error) {
  return strerrorname_np(error);
}

}  // namespace everycrash::faults
