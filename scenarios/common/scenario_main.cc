#include "scenarios/common/scenario_main.h"

#include <cstdio>
#include <vector>

namespace scenarios {

int run_scenario(const ScenarioProgram& program, int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const std::string command = words.empty() ? "" : words[0];
  if (command == "--help") {
    std::fputs(program.usage, stdout);
    return 0;
  }
  if (command == "--list-breaks") {
    program.list_breaks();
    return 0;
  }
  const auto found = program.commands.find(command);
  if (found == program.commands.end()) {
    std::fputs(program.usage, stderr);
    return kExitUsage;
  }
  return found->second(Arguments(words).subspan(1));
}

int complain(const std::string& program, const Failure& failure, int exit_status) {
  std::fprintf(stderr, "%s: %s\n", program.c_str(), failure.message.c_str());
  return exit_status;
}

int answer_run(const std::string& program, const Outcome& ran) {
  return ran ? 0 : complain(program, ran.error(), kExitFailed);
}

int answer_check(const Outcome& checked) {
  if (checked) return 0;
  std::printf("%s\n", checked.error().message.c_str());
  return kExitFailed;
}

}  // namespace scenarios
