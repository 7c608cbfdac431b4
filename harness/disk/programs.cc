#include "harness/disk/programs.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <sstream>

#include "harness/record/child_process.h"

namespace everycrash {

std::string find_system_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders((path != nullptr ? std::string(path) + ":" : "") +
                             "/usr/sbin:/sbin:/usr/local/sbin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string program = folder + "/" + name;
    if (access(program.c_str(), X_OK) == 0) return program;
  }
  return "";
}

Status run_program(std::vector<std::string> command, std::chrono::milliseconds limit) {
  const std::string name = command.front();
  command.front() = find_system_program(name);
  if (command.front().empty()) return harness_error(name + " is not installed");
  const int output = memfd_create("everycrash", MFD_CLOEXEC);
  ChildOptions options;
  options.command = std::move(command);
  options.working_directory = "/";
  options.standard_output = options.standard_error = output;
  Result<ChildProcess> child = ChildProcess::start(options);
  if (!child) {
    close(output);
    return tl::unexpected(child.error());
  }
  const ProcessEnd end = child->wait(limit);
  const auto* exited = std::get_if<Exited>(&end);
  std::array<char, 500> said{};
  const ssize_t size = pread(output, said.data(), said.size(), 0);
  close(output);
  if (exited != nullptr && exited->code == 0) return {};
  const std::string text(said.data(), size > 0 ? static_cast<size_t>(size) : 0);
  return harness_error(fmt::format("{} failed ({}):\n{}", name, describe(end), text));
}

}  // namespace everycrash
