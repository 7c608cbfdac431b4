// Starting a program and waiting for it. The only file of the project that uses Boost.Process.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "harness/base/error.h"

namespace everycrash {

struct Exited {
  int code = 0;
};
struct Signaled {
  int signal = 0;
};
struct TimedOut {};

/// How a process ended, or that it has not ended in time.
using ProcessEnd = std::variant<Exited, Signaled, TimedOut>;

/// "exit status 3", "killed by SIGSEGV", "ran out of time".
[[nodiscard]] std::string describe(const ProcessEnd& end);

struct ChildOptions {
  std::vector<std::string> command;  ///< command[0] is a path; it is not searched for in PATH
  std::filesystem::path working_directory;
  std::map<std::string, std::string> environment;  ///< added to this process's own
  std::vector<std::string> unset;                  ///< taken out of it
  int standard_output = -1;                        ///< descriptor, or -1 for /dev/null
  int standard_error = -1;
  int extra = -1;  ///< becomes descriptor 3 of the child
};

/// A child in a process group of its own, with standard input from /dev/null and no descriptors but
/// 0 to 3; it gets SIGTERM if the thread that started it ends. Not thread-safe. The destructor
/// kills (SIGKILL) and reaps a child that is still there.
class ChildProcess {
 public:
  static Result<ChildProcess> start(const ChildOptions& options);
  ChildProcess(ChildProcess&&) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();

  [[nodiscard]] int process() const;
  /// A pidfd: readable once the child has ended. Owned by this object.
  [[nodiscard]] int descriptor() const;
  /// Waits until the child has ended and reaps it; TimedOut if it has not within LIMIT.
  ProcessEnd wait(std::chrono::milliseconds limit);
  /// Sends a signal; nothing if the child was reaped.
  void signal(int number) const;

 private:
  struct State;
  explicit ChildProcess(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace everycrash
