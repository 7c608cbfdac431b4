#include "harness/check/run/script_argument.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>

#include "harness/base/path_text.h"

namespace everycrash {
namespace {

/// "python" of "/usr/bin/python3.11".
std::string_view name_without_version(std::string_view program) {
  const std::string_view name = base_name(program);
  const size_t last = name.find_last_not_of("0123456789.");
  return last == std::string_view::npos ? name : name.substr(0, last + 1);
}

/// The program that the first line of SCRIPT names, "" if none: "python" of "#!/usr/bin/env -S
/// python3 -u".
std::string program_of(const std::filesystem::path& script) {
  constexpr size_t kLineMax = 256;  // as the kernel reads it (execve(2))
  std::string line(kLineMax, '\0');
  std::ifstream file(script, std::ios::binary);
  file.read(line.data(), kLineMax);
  line.resize(static_cast<size_t>(file.gcount()));
  if (!line.starts_with("#!")) return "";
  std::istringstream words(line.substr(2, line.find('\n') - 2));
  std::string program;
  words >> program;
  if (base_name(program) == "env") {
    while (words >> program && program.starts_with('-')) {
    }
  }
  return std::string(name_without_version(program));
}

bool is_known_to_run_scripts(std::string_view name) {
  constexpr std::array kNames = {"python", "sh",   "bash", "dash", "ksh", "zsh",   "node",
                                 "nodejs", "perl", "ruby", "php",  "lua", "tclsh", "Rscript"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

/// True for an option whose argument, or what comes behind it, is the code instead.
bool gives_code(std::string_view option, std::string_view program) {
  const bool shell = program.ends_with("sh");  // its -e takes no program text
  return option == "-c" || (option == "-e" && !shell) || option == "-m";
}

}  // namespace

size_t script_argument(const std::vector<std::string>& argv, const std::filesystem::path& base) {
  if (argv.empty()) return 0;
  const std::string_view program = name_without_version(argv.front());
  for (size_t i = 1; i < argv.size(); ++i) {
    if (gives_code(argv[i], program)) return 0;
    if (argv[i].starts_with("-")) continue;
    std::error_code error;
    const std::filesystem::path script = base / argv[i];
    if (!std::filesystem::is_regular_file(script, error)) return 0;
    return program_of(script) == program || is_known_to_run_scripts(program) ? i : 0;
  }
  return 0;
}

}  // namespace everycrash
