#include "harness/check/flaw.h"

namespace everycrash {

const char* describe(Flaw flaw) {
  switch (flaw) {
    case Flaw::kAppended:
      return "is appended to";
    case Flaw::kUpdated:
      return "is updated in place";
    case Flaw::kMapped:
      return "is written through a memory mapping";
    case Flaw::kAcrossSync:
      return "is written on after an fsync, as logs and databases are";
    case Flaw::kAcrossOthers:
      return "is written on after other files were changed, as logs are";
    case Flaw::kAcrossPrint:
      return "is written on after something was printed";
  }
  return "";
}

}  // namespace everycrash
