// The command line that all scenarios share: run, check, --list-breaks, --help.
//
//   int main(int argc, char** argv) {
//     return scenarios::scenario_main<JobOptions, Break>(
//         {.breaks = kBreaks, .usage = kUsage, .add_options = add_options, .run = run,
//          .check = check_job}, argc, argv);
//   }
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>

#include "scenarios/common/break_table.h"
#include "scenarios/common/child_process.h"
#include "scenarios/common/failure.h"
#include "scenarios/common/option_set.h"

namespace scenarios {

inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;

/// What follows the name of a command.
using Arguments = std::span<const std::string>;
/// Returns the exit status.
using ScenarioCommand = std::function<int(Arguments)>;

/// A program, without the types of its options and breaks.
struct ScenarioProgram {
  std::string name;
  const char* usage;
  std::function<void()> list_breaks;
  std::map<std::string, ScenarioCommand> commands;  ///< by name
};

/// Does what the command line asks for; the exit status. With an unknown command, the usage.
[[nodiscard]] int run_scenario(const ScenarioProgram& program, int argc, char** argv);

/// Tells the failure on standard error, as from PROGRAM; EXIT_STATUS.
int complain(const std::string& program, const Failure& failure, int exit_status);

/// The exit status of a command that ended so; a failure is told as from PROGRAM.
[[nodiscard]] int answer_run(const std::string& program, const Outcome& ran);

/// A checker's answer: its exit status, with what is wrong on standard output.
[[nodiscard]] int answer_check(const Outcome& checked);

/// What a scenario consists of. Its name is that of its table of breaks.
template <typename Options, typename Break>
struct ScenarioParts {
  const BreakTable<Break>& breaks;
  const char* usage;
  /// Adds each option, bound to the values of OPTIONS.
  void (*add_options)(OptionSet& set, Options& options);
  /// The job, in the current directory.
  Outcome (*run)(const Options& options);
  /// The verdict on the current directory; PROGRAM is started again with the same options.
  Outcome (*check)(const std::string& program, const Options& options);
  std::map<std::string, ScenarioCommand> more = {};  ///< commands of this program alone
};

/// The whole of main().
template <typename Options, typename Break>
[[nodiscard]] int scenario_main(const ScenarioParts<Options, Break>& parts, int argc, char** argv) {
  const std::string name(parts.breaks.program());
  const auto with_options = [&](std::function<int(const Options&)> act) {
    return [&parts, name, act](Arguments arguments) {
      const auto options = parse_options(name, parts.add_options, arguments);
      return options ? act(*options) : complain(name, options.error(), kExitUsage);
    };
  };
  std::map<std::string, ScenarioCommand> commands = parts.more;
  commands["run"] =
      with_options([&](const Options& options) { return answer_run(name, parts.run(options)); });
  commands["check"] = with_options(
      [&](const Options& options) { return answer_check(parts.check(own_program(), options)); });
  return run_scenario({name, parts.usage, [&] { parts.breaks.list(); }, std::move(commands)}, argc,
                      argv);
}

}  // namespace scenarios
