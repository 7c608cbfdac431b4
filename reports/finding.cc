#include "reports/finding.h"

namespace everycrash::reports {

const char* name_of(OutsideEvent::Kind kind) {
  return kind == OutsideEvent::Kind::kEffect ? "effect" : "step";
}

const char* name_of(Sighting sighting) {
  switch (sighting) {
    case Sighting::kSeen:
      return "seen";
    case Sighting::kAlike:
      return "alike";
    case Sighting::kNotSeen:
      return "not seen";
    case Sighting::kNotSearched:
      return "not searched";
    case Sighting::kNotAsked:
      return "not asked";
  }
  return "unknown";
}

}  // namespace everycrash::reports
