#include "harness/check/run/ending.h"

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

}  // namespace everycrash
