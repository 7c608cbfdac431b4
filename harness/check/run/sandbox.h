// A place where commands run on a crash state without being able to change anything else.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "harness/base/error.h"
#include "harness/check/run/command.h"
#include "harness/check/run/containment.h"
#include "harness/check/run/helper.h"

namespace everycrash {

struct SandboxOptions {
  /// Path of the state directory while recording: commands find the tree there, where possible.
  std::filesystem::path recorded_path;
  /// An empty folder of this worker alone, best on a memory file system. The caller removes it in
  /// the end.
  std::filesystem::path work_directory;
  /// Do without namespaces even where they are allowed.
  bool plain = false;
  /// Let commands see the processes of this machine, and live among them.
  bool shared_processes = false;
  /// What commands read; -1 = nothing. Stays the caller's; the helper gets a copy.
  int input = -1;
  /// Give commands a network of their own, in which only this port of 127.0.0.1 listens; 0 = they
  /// have that of this machine. Where it cannot be had, capabilities() say so.
  uint16_t listen_port = 0;
};

/// One worker: a helper process that runs one command at a time, inside the namespaces that this
/// machine allows. Every command gets default signal handling, no input, a process group and, where
/// possible, a PID namespace of its own; whatever it starts is killed after it.
///
/// The helper dies with the thread that started it (PR_SET_PDEATHSIG) and all it runs dies with the
/// helper, so nothing stays behind even if this process is killed. Start sandboxes early, from a
/// thread that lives as long as they do: they fork. Use by one thread at a time; cancel() from any.
class Sandbox {
 public:
  /// Fails if the work directory cannot be used or no process can be made. Where namespaces are
  /// refused it succeeds, and capabilities() says so.
  static Result<std::unique_ptr<Sandbox>> start(const SandboxOptions& options);
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;
  /// Ends the helper and waits for it.
  ~Sandbox();

  /// Runs COMMAND in directory() and waits for it, at most LIMIT_MS. However it ends is a value; an
  /// error means that the machine failed, or kInterrupted after cancel().
  Result<CommandRun> run(const Command& command, int limit_ms);

  /// Ends the command that runs, as if its limit had come; nothing if none does. Safe in any
  /// thread.
  void end_command();

  /// Kills what runs; this and all later runs fail with kInterrupted. Safe in any thread.
  void cancel();

  [[nodiscard]] const Capabilities& capabilities() const { return capabilities_; }
  /// The socket that listens on `listen_port` of the commands' own network, -1 if there is none.
  /// It is the caller's from now on.
  [[nodiscard]] int take_listener() { return std::exchange(listener_, -1); }
  /// Path of the state directory while recording.
  [[nodiscard]] const std::filesystem::path& recorded() const { return places_.recorded; }
  /// The tree, as this process sees it.
  [[nodiscard]] const std::filesystem::path& tree() const { return places_.tree; }
  /// The tree, as commands see it.
  [[nodiscard]] const std::filesystem::path& directory() const { return directory_; }
  /// A folder that commands see at the same path and may write in: for EVERYCRASH_* files.
  [[nodiscard]] const std::filesystem::path& files() const { return places_.files; }

 private:
  Sandbox(Places places, int socket, int process)
      : places_(std::move(places)), socket_(socket), process_(process) {}

  static Result<std::unique_ptr<Sandbox>> start_helper(const Places& places,
                                                       const SandboxOptions& options, bool plain);

  Places places_;
  int socket_;
  int process_;
  Capabilities capabilities_;
  std::filesystem::path directory_;
  int listener_ = -1;
  std::atomic<bool> cancelled_ = false;
};

}  // namespace everycrash
