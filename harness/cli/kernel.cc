#include "harness/cli/kernel.h"

#include <fmt/format.h>
#include <sys/utsname.h>

namespace everycrash::cli {

std::string kernel_name() {
  utsname name{};
  uname(&name);
  return fmt::format("{} {}", name.sysname, name.release);
}

}  // namespace everycrash::cli
