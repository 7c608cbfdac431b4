// A child process and the one who waits for it.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/common/failure.h"

namespace scenarios {

struct ChildOptions {
  std::vector<std::string> arguments;                            ///< [0] is the path of the program
  std::vector<std::pair<std::string, std::string>> environment;  ///< set on top of our own
  std::vector<std::pair<int, int>> descriptors;  ///< ours, and the number it has in the child
};

/// Owns the process: reaps it at the latest on destruction, killing it if it still runs. Move-only,
/// not thread-safe.
class ChildProcess {
 public:
  [[nodiscard]] static Expected<ChildProcess> start(const ChildOptions& options);
  ChildProcess(ChildProcess&& other) noexcept : pid_(std::exchange(other.pid_, -1)) {}
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess();

  /// The wait status (see waitpid), or nullopt if it still runs after `limit_ms`.
  [[nodiscard]] std::optional<int> wait(int limit_ms);

 private:
  explicit ChildProcess(pid_t pid) : pid_(pid) {}
  void stop();

  pid_t pid_ = -1;
};

/// The path of the running program.
[[nodiscard]] std::string own_program();

}  // namespace scenarios
