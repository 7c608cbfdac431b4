#include "harness/cli/open_state.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "harness/campaign/host_sink.h"
#include "harness/check/run/command.h"
#include "harness/check/run/given_file.h"
#include "harness/check/run/materialise.h"
#include "harness/effects/sink.h"

namespace everycrash::cli {
namespace {

/// The folder of a state: where the program had it, or, where something is there, in a workspace.
class StateFolder {
 public:
  StateFolder(const std::filesystem::path& recorded, const Workspace& workspace) {
    std::error_code error;
    std::filesystem::path missing = recorded;
    while (missing.has_parent_path() && missing != missing.parent_path() &&
           !std::filesystem::exists(missing.parent_path(), error)) {
      missing = missing.parent_path();
    }
    const bool is_free = recorded.is_absolute() && !std::filesystem::exists(recorded, error);
    if (is_free && std::filesystem::create_directories(recorded, error)) {
      path_ = recorded;
      made_ = missing;
      return;
    }
    path_ = workspace.path() / "state";
    std::filesystem::create_directory(path_, error);
  }
  StateFolder(const StateFolder&) = delete;
  StateFolder& operator=(const StateFolder&) = delete;

  /// Takes away what was made for it; folders above it only where nothing else has come into them.
  ~StateFolder() {
    if (made_.empty()) return;
    remove_tree(path_);
    std::error_code error;
    for (std::filesystem::path each = path_; each != made_;) {
      each = each.parent_path();
      if (!std::filesystem::remove(each, error)) break;
    }
  }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::filesystem::path made_;  ///< the topmost folder that was not there before; "" = none
};

/// Runs COMMAND in FOLDER on this terminal and waits for it.
Result<int> run_in(const std::filesystem::path& folder, const std::vector<std::string>& command) {
  const pid_t child = fork();
  if (child < 0) return system_error("cannot start a process", errno);
  if (child == 0) {
    std::vector<char*> argv;
    for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    if (chdir(folder.c_str()) == 0) execvp(argv[0], argv.data());
    fmt::print(stderr, "everycrash: cannot run {}: {}\n", command.front(), strerrordesc_np(errno));
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// The receiver of the recorded run, as it was when the crash came, for as long as it is kept; null
/// if there was none. On another port where something else has that one by now.
Result<std::unique_ptr<Sink>> open_sink(const std::string& text, const SinkMemory& memory) {
  if (text.empty()) return nullptr;
  Result<SinkOptions> options = parse_sink(text);
  if (!options) return tl::unexpected(options.error());
  Result<HostSink> host = start_host_sink(*options);
  if (!host && host.error().kind == ErrorKind::kUsage) {
    options->port = 0;
    host = start_host_sink(*options);
  }
  if (!host) return tl::unexpected(host.error());
  host->sink->become(memory);
  const std::string url = url_of(host->options);
  setenv("EVERYCRASH_SINK", url.c_str(), 1);
  fmt::print(
      "everycrash: the sink is at {} and had done {} requests; {}/everycrash/effects lists "
      "them\n",
      url, memory.lines().size(), url);
  return std::move(host->sink);
}

/// What the kernel would start for a script, PROGRAM: the words of its first line; empty for what
/// is no script. A debugger does not know how to start one.
std::vector<std::string> interpreter_of(const std::string& program,
                                        const std::vector<std::string>& environment) {
  for (const std::string& candidate : program_candidates(program, environment)) {
    if (access(candidate.c_str(), X_OK) != 0) continue;
    std::string line;
    std::ifstream file(candidate);
    std::getline(file, line);
    if (!line.starts_with("#!")) return {};
    std::istringstream rest(line.substr(2));
    std::string interpreter, argument;
    rest >> interpreter;
    std::getline(rest >> std::ws, argument);
    std::vector<std::string> words = {interpreter};
    if (!argument.empty()) words.push_back(argument);
    words.push_back(candidate);
    return words;
  }
  return {};
}

std::vector<std::string> command_for(LookWith with, const reports::ResultDocument& document) {
  if (with == LookWith::kShell) {
    const char* shell = std::getenv("SHELL");
    return {shell != nullptr ? shell : "/bin/sh"};
  }
  const std::string& judge = document.judging.check;
  const Command debugged = judge.empty() ? make_command(document.workload, document.judging.base)
                                         : parse_command(judge, document.judging.base);
  std::vector<std::string> command = {"gdb", "--args"};
  const std::vector<std::string> interpreter =
      interpreter_of(debugged.argv.front(), debugged.environment);
  command.insert(command.end(), interpreter.begin(), interpreter.end());
  command.insert(command.end(), debugged.argv.begin() + (interpreter.empty() ? 0 : 1),
                 debugged.argv.end());
  return command;
}

}  // namespace

Result<int> open_state(const ReplayedState& state, const reports::ResultDocument& document,
                       LookWith with, const Workspace& workspace) {
  const StateFolder folder(document.state_directory, workspace);
  {
    TreeOnDisk tree(folder.path());
    if (Status ok = tree.become(state.tree); !ok) return tl::unexpected(ok.error());
  }
  const std::filesystem::path printed = workspace.path() / "printed";
  const std::filesystem::path effects = workspace.path() / "effects";
  Status written = write_file(printed, state.printed);
  if (written) written = write_file(effects, effect_lines(state.events));
  if (!written) return tl::unexpected(written.error());
  const auto sink = open_sink(document.judging.effects.sink, state.sink);
  if (!sink) return tl::unexpected(sink.error());
  setenv("EVERYCRASH_DIR", folder.path().c_str(), 1);
  setenv("EVERYCRASH_STDOUT", printed.c_str(), 1);
  setenv("EVERYCRASH_EFFECTS", effects.c_str(), 1);
  if (with == LookWith::kShell) {
    fmt::print("everycrash: the state is in {} and goes away when this shell ends\n",
               folder.path().string());
  }
  std::fflush(stdout);
  return run_in(folder.path(), command_for(with, document));
}

}  // namespace everycrash::cli
