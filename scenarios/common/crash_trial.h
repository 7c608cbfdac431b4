// For tests: one life of the job in a temporary directory, cut short by a real SIGKILL at a chosen
// system call, and the checker's verdict on what is left. Needs nothing of everycrash.
#pragma once

#include <string>
#include <vector>

namespace scenarios {

struct CheckResult {
  int exit_code = -1;
  std::string message;  ///< what the checker printed
};

/// How two runners that took turns ended.
struct Turns {
  bool first_stopped = false;   ///< false: it ended before its turn was over
  bool second_stopped = false;  ///< the same
  bool both_succeeded = false;
};

/// Owns its directory, removed on destruction. Not thread-safe. Asserts (with std::abort) on what
/// only a broken machine does.
class CrashTrial {
 public:
  /// PROGRAM is a path.
  explicit CrashTrial(std::string program);
  CrashTrial(const CrashTrial&) = delete;
  CrashTrial& operator=(const CrashTrial&) = delete;
  ~CrashTrial();

  [[nodiscard]] const std::string& state_directory() const { return state_directory_; }
  /// What the job has printed, and the lines of effects so far. Tests may write them.
  [[nodiscard]] std::string printed_file() const { return directory_ + "/stdout"; }
  [[nodiscard]] std::string effects_file() const { return directory_ + "/events"; }

  /// Empties everything.
  void clear();
  void write_file(const std::string& path, const std::string& content) const;
  [[nodiscard]] std::string read_file(const std::string& path) const;

  /// Runs the job to its end; its wait status.
  int run(const std::vector<std::string>& arguments) const;
  /// The same; no file may grow beyond that size, a write fails there (EFBIG).
  int run_with_file_limit(int bytes, const std::vector<std::string>& arguments) const;
  /// Kills the job when it is about to make its `call`-th call (from 1) that changes or sends
  /// something. False: it ended before.
  [[nodiscard]] bool run_and_kill_at(int call, const std::vector<std::string>& arguments) const;
  /// Runs the job to its end; the names of all such calls, with the file name where they have one:
  /// "openat state.json.1.tmp", "write", "fsync", "renameat state.json.1.tmp".
  [[nodiscard]] std::vector<std::string> run_and_list_calls(
      const std::vector<std::string>& arguments) const;
  /// Kills the job after that time. False: it ended before.
  [[nodiscard]] bool run_and_kill_after(int microseconds,
                                        const std::vector<std::string>& arguments) const;
  /// Runs the job twice at the same time, to the end of both. Whether both succeeded in 3 s.
  [[nodiscard]] bool run_two(const std::vector<std::string>& arguments) const;
  /// Runs the job twice in turns: the first until it is about to make its so-many-th call that
  /// changes or sends something, then the second in the same way (0 = to its end), then the first
  /// to its end, then the second.
  [[nodiscard]] Turns run_two_in_turns(const std::vector<std::string>& first_arguments,
                                       int calls_of_first,
                                       const std::vector<std::string>& second_arguments,
                                       int calls_of_second) const;

  /// `check` on the state directory, given what was printed and sent.
  [[nodiscard]] CheckResult check(const std::vector<std::string>& arguments) const;

 private:
  enum class Mode { kPlain, kTraced, kTracedWithoutMarkers };
  /// `file_limit` in bytes; 0 = none.
  [[nodiscard]] int start(const std::vector<std::string>& arguments, Mode mode,
                          int file_limit = 0) const;

  std::string program_;
  std::string directory_;
  std::string state_directory_;
};

/// One list after the other.
[[nodiscard]] std::vector<std::string> with(std::vector<std::string> options,
                                            const std::vector<std::string>& more);

/// Kills the job at each of its calls in turn. What the checker says about the states that it
/// rejects, up to the first that it rejects with these words; empty if it rejects none.
[[nodiscard]] std::string complaints_after_kills(const std::string& program,
                                                 const std::vector<std::string>& run,
                                                 const std::vector<std::string>& check,
                                                 const std::string& words);

}  // namespace scenarios
