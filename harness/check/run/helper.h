// The process behind a Sandbox: it enters the namespaces and runs commands there, one at a time.
//
// Messages, in this order: the helper greets with its Capabilities and the directory that commands
// see, or with why it could not enter the namespaces; then each request (a command) is answered by
// one reply (a CommandRun). The end of the socket is the end of the helper and of whatever it runs.
#pragma once

#include "harness/check/run/command.h"
#include "harness/check/run/containment.h"
#include "harness/check/run/ending.h"
#include "harness/check/run/message.h"

namespace everycrash {

/// How a command went.
struct CommandRun {
  Ending ending;
  std::string output;           ///< standard output and error, as BoundedOutput keeps them
  bool left_processes = false;  ///< some did not end by themselves soon after it; they were killed
  bool left_files = false;      ///< something was left in /tmp and its like, and thrown away
};

Message pack(const Capabilities& capabilities, const std::filesystem::path& directory);
void unpack(Message& message, Capabilities& capabilities, std::filesystem::path& directory);
Message pack(const Command& command, int limit_ms);
Message pack(const Result<CommandRun>& run);
Result<CommandRun> unpack_run(Message& message);

/// Serves SOCKET until its other end is closed. Runs in a fresh child of PARENT. PLAIN: do without
/// namespaces; otherwise they are entered, or the greeting lacks mount_namespace and the helper
/// ends. INPUT is what commands read; -1 = nothing. An empty message while a command runs ends that
/// command as if its limit had come. In a network namespace LISTEN_PORT is made to listen, and its
/// socket sent behind the greeting.
[[noreturn]] void serve_commands(int socket, int input, const Places& places, bool plain,
                                 uint16_t listen_port, int parent);

}  // namespace everycrash
