#include "harness/base/error.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace everycrash {

tl::unexpected<Error> system_error(const std::string& what, int errno_value) {
  return harness_error(what + ": " + std::strerror(errno_value));
}

void assertion_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "everycrash: bug at %s:%d: %s does not hold; please report it\n", file, line,
               condition);
  std::abort();
}

}  // namespace everycrash
