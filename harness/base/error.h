// Errors that can happen are values: a kind that decides the exit code, and a message for a person.
#pragma once

#include <tl/expected.hpp>

#include <string>
#include <utility>

namespace everycrash {

/// What went wrong, as far as the caller must tell it apart.
enum class ErrorKind {
  kUsage,        ///< wrong options or configuration: exit 2
  kHarness,      ///< workload or checker fails without a crash, a trace is damaged: exit 3
  kNothing,      ///< nothing to explore: exit 4
  kUnavailable,  ///< this machine cannot do it: exit 77
  kInterrupted,  ///< Ctrl-C: exit 130
};

/// A message says what happened, why, and what to try, in one to three short lines.
struct Error {
  ErrorKind kind = ErrorKind::kHarness;
  std::string message;
};

template <typename T>
using Result = tl::expected<T, Error>;
using Status = tl::expected<void, Error>;

[[nodiscard]] inline tl::unexpected<Error> fail(ErrorKind kind, std::string message) {
  return tl::unexpected<Error>(Error{kind, std::move(message)});
}
[[nodiscard]] inline tl::unexpected<Error> harness_error(std::string message) {
  return fail(ErrorKind::kHarness, std::move(message));
}

/// "WHAT: strerror(ERRNO_VALUE)" as a harness error.
[[nodiscard]] tl::unexpected<Error> system_error(const std::string& what, int errno_value);

/// A bug in everycrash itself: prints where and aborts. Stays on in every build.
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);
#define EVERYCRASH_ASSERT(condition) \
  ((condition) ? void(0) : ::everycrash::assertion_failed(#condition, __FILE__, __LINE__))

}  // namespace everycrash
