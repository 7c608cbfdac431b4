#include "harness/check/run/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "harness/check/run/script_argument.h"

namespace everycrash {
namespace {

constexpr std::string_view kShellCharacters = "|&;<>()$`\\\"'*?[]#~{}!\n";
constexpr std::string_view kDefaultPath =
    "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

std::vector<std::string> caller_environment() {
  std::vector<std::string> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    variables.emplace_back(*entry);
  }
  return variables;
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  size_t at = 0;
  while ((at = text.find_first_not_of(" \t", at)) != std::string_view::npos) {
    const size_t end = std::min(text.find_first_of(" \t", at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

bool is_program(const std::string& name, const std::vector<std::string>& environment) {
  const std::vector<std::string> candidates = program_candidates(name, environment);
  return std::any_of(candidates.begin(), candidates.end(),
                     [](const std::string& path) { return access(path.c_str(), X_OK) == 0; });
}

/// "./check" and "tools/check" where BASE has them; anything else stays.
std::string absolute_program(const std::string& name, const std::filesystem::path& base) {
  if (name.find('/') == std::string::npos || name.front() == '/') return name;
  const std::filesystem::path path = base / name;
  return access(path.c_str(), F_OK) == 0 ? path.lexically_normal().string() : name;
}

}  // namespace

std::vector<std::string> with_absolute_programs(std::vector<std::string> argv,
                                                const std::filesystem::path& base) {
  if (argv.empty()) return argv;
  const size_t script = script_argument(argv, base);
  argv.front() = absolute_program(argv.front(), base);
  if (script > 0) argv[script] = (base / argv[script]).string();
  return argv;
}

Command make_command(std::vector<std::string> argv, const std::filesystem::path& base) {
  Command command;
  command.argv = std::move(argv);
  command.environment = caller_environment();
  if (!command.argv.empty()) command.argv[0] = absolute_program(command.argv[0], base);
  return command;
}

Command parse_command(std::string_view text, const std::filesystem::path& base) {
  std::vector<std::string> words = split_words(text);
  if (words.empty()) return {};
  Command command = make_command(words, base);
  const bool plain = text.find_first_of(kShellCharacters) == std::string_view::npos &&
                     words[0].find('=') == std::string::npos;
  // A path that leads nowhere is a mistake that must be named as such, not by a shell's exit 127.
  const bool path = command.argv[0].find('/') != std::string::npos;
  if (plain && (path || is_program(command.argv[0], command.environment))) {
    command.argv = with_absolute_programs(std::move(words), base);
    return command;
  }

  std::string script(text);
  const size_t start = script.find_first_not_of(" \t");
  if (command.argv[0] != words[0] && command.argv[0].find(' ') == std::string::npos) {
    script.replace(start, words[0].size(), command.argv[0]);
  }
  command.argv = {"/bin/sh", "-c", script};
  return command;
}

void set_variable(std::vector<std::string>& environment, std::string_view name,
                  std::string_view value) {
  const std::string prefix = fmt::format("{}=", name);
  std::erase_if(environment, [&](const std::string& entry) { return entry.starts_with(prefix); });
  environment.push_back(fmt::format("{}{}", prefix, value));
}

std::vector<std::string> program_candidates(const std::string& name,
                                            const std::vector<std::string>& environment) {
  if (name.find('/') != std::string::npos) return {name};
  std::string_view path = kDefaultPath;
  for (const std::string& entry : environment) {
    if (entry.starts_with("PATH=")) path = std::string_view(entry).substr(5);
  }
  std::vector<std::string> candidates;
  for (size_t at = 0; at <= path.size();) {
    const size_t end = std::min(path.find(':', at), path.size());
    const std::string_view folder = path.substr(at, end - at);
    candidates.push_back(fmt::format("{}/{}", folder.empty() ? "." : folder, name));
    at = end + 1;
  }
  return candidates;
}

}  // namespace everycrash
