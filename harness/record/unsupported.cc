#include "harness/record/unsupported.h"

#include <fmt/format.h>

#include "harness/record/system_calls.h"

namespace everycrash {

std::string call_name(int call) {
  const calls::SystemCall* known = calls::find(call);
  return known == nullptr ? fmt::format("call {}", call) : known->name;
}

std::string explain_unsupported(const Operation& operation) {
  const std::string what = operation.path.empty() ? "." : std::string(operation.path);
  switch (static_cast<Unsupported>(operation.mode)) {
    case Unsupported::kStaticBinary:
      return fmt::format(
          "{} is statically linked, so its system calls cannot be recorded; "
          "test a dynamically linked build of it",
          what);
    case Unsupported::kForeignLoader:
      return fmt::format(
          "{} is linked against another C library than this machine's (musl?), "
          "so it cannot be recorded; test a build for glibc",
          what);
    case Unsupported::kForeignMachine:
      return fmt::format("{} is not a 64-bit x86 program and cannot be recorded", what);
    case Unsupported::kIoUring:
      return "the workload asked for io_uring, which cannot be recorded; it was answered ENOSYS, "
             "as "
             "on a kernel without it (turn io_uring off in the program if it does not go on alone)";
    case Unsupported::kSharedMapping:
      return fmt::format(
          "{} is written through a shared memory mapping that is too large to watch; "
          "use a smaller file or a mode without mmap",
          what);
    case Unsupported::kLockStolen:
      return "a process of the workload was killed inside a recorded call; run again";
    case Unsupported::kOutsideRename:
      return fmt::format(
          "{} was moved across the border of the state directory in a way that "
          "cannot be recorded; keep temporary files inside it",
          what);
    case Unsupported::kPreloadFailed:
      return fmt::format("recording could not start in {}", what);
    case Unsupported::kUnknownCall:
      return fmt::format("{} was changed by {}, which cannot be recorded yet", what,
                         call_name(operation.call));
    case Unsupported::kStaleView:
      return "the workload changed its root or mounted over the state directory; "
             "what it did there cannot be recorded";
  }
  return fmt::format("{}: unsupported for reason {}", what, operation.mode);
}

}  // namespace everycrash
