#include "harness/check/verdict.h"

#include <fmt/format.h>
#include <string.h>

namespace everycrash {
namespace {

std::string signal_name(int number) {
  const char* name = sigabbrev_np(number);
  return name != nullptr ? fmt::format("SIG{}", name) : fmt::format("signal {}", number);
}

}  // namespace

std::string describe(const Ending& ending) {
  switch (ending.how) {
    case Ending::How::kExited:
      return fmt::format("exit status {}", ending.value);
    case Ending::How::kSignaled:
      return fmt::format("killed by {}", signal_name(ending.value));
    case Ending::How::kTimedOut:
      return "did not end within its time limit";
    case Ending::How::kNotStarted:
      return fmt::format("could not be started: {}", strerror(ending.value));
  }
  return "ended in an unknown way";
}

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
