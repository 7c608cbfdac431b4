#include "harness/check/verdict.h"

namespace everycrash {

const char* name_of(Judge judge) {
  switch (judge) {
    case Judge::kChecker:
      return "checker";
    case Judge::kHalfFile:
      return "half file";
    case Judge::kAcknowledged:
      return "acknowledged";
    case Judge::kResume:
      return "resume";
    case Judge::kNoLeftovers:
      return "no leftovers";
    case Judge::kExactlyOnce:
      return "exactly once";
    case Judge::kRecoveryTwice:
      return "recovery twice";
    case Judge::kRecovery:
      return "recovery";
    case Judge::kSilentSuccess:
      return "silent success";
    case Judge::kEndless:
      return "endless";
    case Judge::kSerial:
      return "serial";
  }
  return "unknown";
}

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSurvived:
      return "survived";
    case Verdict::kNotMeasured:
      return "not measured";
    case Verdict::kViolated:
      return "violated";
    case Verdict::kHarnessBroken:
      return "harness broken";
  }
  return "unknown";
}

}  // namespace everycrash
