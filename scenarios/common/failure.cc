#include "scenarios/common/failure.h"

#include <cerrno>
#include <cstring>

namespace scenarios {
namespace {

bool passes(int error) {
  switch (error) {
    case EAGAIN:
    case EBUSY:
    case EDQUOT:
    case EINTR:
    case EIO:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case ENOSPC:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::optional<bool> message_heals(std::string_view message) {
  constexpr int kErrorsMax = 134;
  for (int error = 1; error < kErrorsMax; ++error) {
    if (message.ends_with(std::string(": ") + std::strerror(error))) return passes(error);
  }
  return std::nullopt;
}

tl::unexpected<Failure> call_failed(const std::string& what) {
  const int error = errno;
  return failed(what + ": " + std::strerror(error), passes(error));
}

}  // namespace scenarios
