// A command that runs on a crash state: checker, recovery, or the workload again.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace everycrash {

/// A value.
struct Command {
  std::vector<std::string> argv;         ///< argv[0] is looked up in PATH unless it holds a '/'
  std::vector<std::string> environment;  ///< "NAME=value", all of it
  /// Mount a /proc of its own, so that /proc/PID tells the truth about pids in the state (lock
  /// files). Costs about 0.15 ms, so only programs under test get it.
  bool own_proc = false;

  [[nodiscard]] bool empty() const { return argv.empty(); }
};

/// ARGV with the program, and the script that it runs (script_argument.h), as they are found from
/// BASE, where the user typed them: commands run in the state directory. What BASE does not
/// have stays.
[[nodiscard]] std::vector<std::string> with_absolute_programs(std::vector<std::string> argv,
                                                              const std::filesystem::path& base);

/// Splits TEXT at blanks where no shell is needed to understand it, else runs it by `sh -c`: where
/// it holds a character that means something to a shell, or where its first word is no program
/// (shell built-ins, functions). A first word like ./check, or the script in
/// `python3 check.py`, is taken relative to BASE, where the user typed it, not to the state
/// directory. The environment is the caller's own.
[[nodiscard]] Command parse_command(std::string_view text, const std::filesystem::path& base);

/// An argument vector as it is, with the caller's environment.
[[nodiscard]] Command make_command(std::vector<std::string> argv,
                                   const std::filesystem::path& base);

/// Sets or replaces NAME in ENVIRONMENT.
void set_variable(std::vector<std::string>& environment, std::string_view name,
                  std::string_view value);

/// Paths to try in turn for NAME, as execvp would: itself if it holds a '/', else each folder of
/// the PATH in ENVIRONMENT.
[[nodiscard]] std::vector<std::string> program_candidates(
    const std::string& name, const std::vector<std::string>& environment);

}  // namespace everycrash
