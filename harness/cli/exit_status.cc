#include "harness/base/exit_status.h"

#include "harness/cli/commands.h"

namespace everycrash::cli {

int exit_status(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
      return kExitUsage;
    case ErrorKind::kHarness:
      return kExitNoVerdict;
    case ErrorKind::kNothing:
      return kExitNothing;
    case ErrorKind::kUnavailable:
      return kExitUnavailable;
    case ErrorKind::kInterrupted:
      return kExitInterrupted;
  }
  return kExitNoVerdict;
}

}  // namespace everycrash::cli
