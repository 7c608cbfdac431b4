// What went wrong, as a value. The job decides by `heals` whether trying again can help.
#pragma once

#include <tl/expected.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace scenarios {

struct Failure {
  std::string message;  ///< what happened and to which file
  bool heals = false;   ///< true: a later attempt may succeed (disk full, I/O error, timeout)
};

template <typename T>
using Expected = tl::expected<T, Failure>;
using Outcome = tl::expected<void, Failure>;

[[nodiscard]] inline tl::unexpected<Failure> failed(std::string message, bool heals = false) {
  return tl::unexpected<Failure>(Failure{std::move(message), heals});
}

/// Whether a failure with that message, as call_failed() makes it, can heal; nothing if it names no
/// errno.
[[nodiscard]] std::optional<bool> message_heals(std::string_view message);

/// "WHAT: strerror(errno)"; heals where errno names something that passes.
[[nodiscard]] tl::unexpected<Failure> call_failed(const std::string& what);

}  // namespace scenarios
