// The command line that all scenarios share.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>

#include "scenarios/common/failure.h"

namespace scenarios {

inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;

/// What follows the name of a command.
using Arguments = std::span<const std::string>;

struct ScenarioProgram {
  std::string name;
  const char* usage;
  std::function<void()> list_breaks;
  /// By name; each returns the exit status.
  std::map<std::string, std::function<int(Arguments)>> commands;
};

/// Does what the command line asks for; the exit status. With an unknown command, the usage.
[[nodiscard]] int run_scenario(const ScenarioProgram& program, int argc, char** argv);

/// Tells the failure on standard error, as from PROGRAM; EXIT_STATUS.
int complain(const std::string& program, const Failure& failure, int exit_status);

/// A checker's answer: its exit status, with what is wrong on standard output.
[[nodiscard]] int answer_check(const Outcome& checked);

}  // namespace scenarios
