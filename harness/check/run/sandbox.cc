#include "harness/check/run/sandbox.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace everycrash {

Result<std::unique_ptr<Sandbox>> Sandbox::start(const SandboxOptions& options) {
  std::error_code error;
  const std::filesystem::path work = std::filesystem::absolute(options.work_directory, error);
  const Places places{.recorded = options.recorded_path,
                      .tree = work / "tree",
                      .files = work / "files",
                      .scratch = work / "scratch",
                      .own_network = options.listen_port != 0,
                      .own_processes = !options.shared_processes};
  for (const auto& folder : {places.tree, places.files / "tmp", places.scratch}) {
    if (!make_folders(folder))
      return system_error(fmt::format("cannot make {}", folder.string()), errno);
  }
  Result<std::unique_ptr<Sandbox>> sandbox = start_helper(places, options, options.plain);
  if (!sandbox) return sandbox;
  std::string why = "as asked";
  if (!options.plain) {
    if ((*sandbox)->capabilities_.mount_namespace) return sandbox;
    why = (*sandbox)->capabilities_.explanation;
    sandbox = start_helper(places, options, true);
    if (!sandbox) return sandbox;
  }
  (*sandbox)->capabilities_.explanation = fmt::format(
      "commands run without namespaces of their own ({}), and see the state directory as {}; to "
      "change that run as root, or allow user namespaces (sysctl "
      "kernel.unprivileged_userns_clone=1; docker run --security-opt seccomp=unconfined)",
      why, places.tree.string());
  return sandbox;
}

Result<std::unique_ptr<Sandbox>> Sandbox::start_helper(const Places& places,
                                                       const SandboxOptions& options, bool plain) {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
    return system_error("cannot make a socket", errno);
  }
  const int parent = getpid();
  const int process = fork();
  const uint16_t port = plain ? uint16_t{0} : options.listen_port;
  if (process == 0) serve_commands(sockets[1], options.input, places, plain, port, parent);
  close(sockets[1]);
  if (process < 0) {
    close(sockets[0]);
    return system_error("cannot make a process", errno);
  }
  auto sandbox = std::unique_ptr<Sandbox>(new Sandbox(places, sockets[0], process));
  std::optional<Message> greeting = receive_message(sockets[0]);
  if (!greeting) return harness_error("the process that runs commands did not start");
  unpack(*greeting, sandbox->capabilities_, sandbox->directory_);
  if (sandbox->capabilities_.network_namespace) {
    sandbox->listener_ = receive_descriptor(sockets[0]);
    if (sandbox->listener_ < 0) return harness_error("the network of commands cannot be set up");
  }
  return sandbox;
}

Sandbox::~Sandbox() {
  close(socket_);
  if (listener_ >= 0) close(listener_);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

Result<CommandRun> Sandbox::run(const Command& command, int limit_ms) {
  std::optional<Message> reply;
  if (!cancelled_ && send_message(socket_, pack(command, limit_ms))) {
    reply = receive_message(socket_);
  }
  if (reply) return unpack_run(*reply);
  if (cancelled_) return fail(ErrorKind::kInterrupted, "interrupted");
  return harness_error("the process that runs commands died; was it killed from outside?");
}

void Sandbox::end_command() {
  static_cast<void>(send_message(socket_, Message()));  // a helper that is gone runs nothing
}

void Sandbox::cancel() {
  cancelled_ = true;
  shutdown(socket_, SHUT_RDWR);
}

}  // namespace everycrash
