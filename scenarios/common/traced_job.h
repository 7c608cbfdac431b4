// For tests: a process under ptrace that goes from one call that changes or sends something to the
// next, and stands still before each.
#pragma once

#include <sys/types.h>

#include <string>

namespace scenarios {

/// Aborts with perror(WHAT) unless CONDITION holds: for what only a broken machine does.
void require(bool condition, const char* what);

/// Not thread-safe: the thread that made it must do everything. The process is a child that has
/// asked to be traced (PTRACE_TRACEME) before exec; it dies with the tracer.
class TracedJob {
 public:
  explicit TracedJob(pid_t pid);

  /// Stops it before its next such call; false when the job has ended.
  bool next();
  /// Goes on for that many calls; false: it ended before. It stands before the last of them.
  bool next(int calls);
  /// Lets it run to its end.
  void finish();
  void kill_it();

  /// The call at which it stands, with the file name where it has one: "write",
  /// "openat state.json.1.tmp".
  [[nodiscard]] std::string call() const;
  /// Its wait status, once it has ended.
  [[nodiscard]] int status() const { return status_; }

 private:
  pid_t pid_;
  bool ended_ = false;
  int status_ = 0;
  unsigned long long number_ = 0;        // of the call at which it stands
  unsigned long long path_address_ = 0;  // in its memory
};

}  // namespace scenarios
