#include "harness/base/error.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace everycrash {

tl::unexpected<Error> system_error(const std::string& what, int errno_value) {
  std::string message = what + ": " + std::strerror(errno_value);
  if (errno_value == ENOSPC) {  // /dev/shm of a container often has 64 MB
    message += "\nMake room there, or set EVERYCRASH_WORK to a folder with more.";
  }
  return harness_error(std::move(message));
}

void assertion_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "everycrash: bug at %s:%d: %s does not hold; please report it\n", file, line,
               condition);
  std::abort();
}

}  // namespace everycrash
