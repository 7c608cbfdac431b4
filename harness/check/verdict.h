// Verdicts on one crash state.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/check/run/ending.h"

namespace everycrash {

/// Ordered from good to bad; only kSurvived is ever counted as good.
enum class Verdict : uint8_t {
  kSurvived,
  kNotMeasured,  ///< the checker could not judge: exit 77, or the budget ended
  kViolated,
  kHarnessBroken,  ///< the checker cannot be started, or fails without a crash too
};

/// Who judged.
enum class Judge : uint8_t {
  kChecker,
  kHalfFile,
  kAcknowledged,
  kResume,
  kNoLeftovers,
  kExactlyOnce,
  kRecoveryTwice,
  kRecovery,
  kSilentSuccess,  ///< a call failed, and the run says that all is well
  kEndless,        ///< a call failed, and the run does not end
  kSerial,         ///< two runners at once, against one after the other
};

/// One reason why a state is not good.
struct Complaint {
  Judge judge = Judge::kChecker;
  Verdict verdict = Verdict::kViolated;
  /// The broken file, relative to the state directory, "" if it is not one. Of kExactlyOnce: the
  /// effect, "charge order-17".
  std::string path;
  std::string message;  ///< for a person, one or a few lines; no clock, no pid, no temporary path
  bool timed_out = false;  ///< the program was killed after its limit, and had several of it
};

[[nodiscard]] const char* name_of(Judge judge);      ///< "checker", "half file", ...
[[nodiscard]] const char* name_of(Verdict verdict);  ///< "survived", "not measured", ...

}  // namespace everycrash
