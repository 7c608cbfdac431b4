#include "harness/cli/commands.h"

namespace everycrash::cli {

int exit_status(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
      return 2;
    case ErrorKind::kHarness:
      return 3;
    case ErrorKind::kNothing:
      return 4;
    case ErrorKind::kUnavailable:
      return 77;
    case ErrorKind::kInterrupted:
      return 130;
  }
  return 3;
}

}  // namespace everycrash::cli
