#include "harness/check/run/helper.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>

#include "harness/check/run/descendants.h"
#include "harness/check/run/landlock.h"
#include "harness/check/run/launch.h"
#include "harness/check/run/output.h"
#include "harness/effects/sink.h"

namespace everycrash {
namespace {

using Clock = std::chrono::steady_clock;

/// Moves SOCKET, and INPUT behind it if there is one, to the lowest numbers above standard error
/// and closes the rest.
int keep_only(int socket, int& input) {
  constexpr int kSocket = 3, kInput = 4;
  if (input >= 0) input = fcntl(input, F_DUPFD_CLOEXEC, kInput + 1);
  if (socket != kSocket) dup2(socket, kSocket);
  fcntl(kSocket, F_SETFD, FD_CLOEXEC);
  if (input >= 0) {
    dup3(input, kInput, O_CLOEXEC);
    input = kInput;
  }
  syscall(SYS_close_range, input >= 0 ? kInput + 1 : kSocket + 1, ~0U, 0);
  return kSocket;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

class Helper {
 public:
  Helper(int socket, int input, const Places& places)
      : socket_(socket), places_(places), containment_(places), input_(input) {}

  bool prepare(bool plain, uint16_t listen_port, int parent);
  void serve();

 private:
  bool send_listener(uint16_t port);
  Result<CommandRun> run(Message& request);
  Status start(Message& request);
  /// Waits for the process; false if the limit, or an empty message, came first. Exits with the
  /// process if the sandbox is closed.
  bool wait_for_end(Clock::time_point deadline);
  void drain();
  Status clean_up(CommandRun& run);
  [[noreturn]] void give_up();

  int socket_;
  Places places_;
  Containment containment_;
  bool own_processes_ = true;
  int input_, output_read_ = -1, output_write_ = -1;
  BoundedOutput output_;

  // Of the command that runs.
  std::vector<std::string> arguments_, environment_, programs_;
  std::vector<char*> argument_pointers_, environment_pointers_, program_pointers_;
  Launch launch_;
  Launcher launcher_;
};

bool Helper::prepare(bool plain, uint16_t listen_port, int parent) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
  setsid();
  const struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);  // a core file would land in the tree

  Status entered;
  if (!plain) entered = containment_.enter();
  // After the change of credentials, which clears it.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) return false;

  Capabilities capabilities = containment_.capabilities();
  if (!entered) {
    capabilities = {};
    capabilities.explanation = entered.error().message;
    send_message(socket_, pack(capabilities, places_.tree));
    return false;
  }
  own_processes_ = !plain && places_.own_processes;
  adopt_orphans();
  if (!capabilities.writes_contained) {
    capabilities.writes_contained = forbid_writes_outside({places_.tree, places_.files});
  }
  int ends[2];
  if (input_ < 0) input_ = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (pipe2(ends, O_CLOEXEC) != 0 || input_ < 0 || !launcher_.prepare(own_processes_)) return false;
  output_read_ = ends[0];
  output_write_ = ends[1];
  fcntl(output_read_, F_SETFL, O_NONBLOCK);
  if (!send_message(socket_, pack(capabilities, containment_.directory()))) return false;
  return !capabilities.network_namespace || send_listener(listen_port);
}

bool Helper::send_listener(uint16_t port) {
  const Result<int> listener = listen_on_loopback(port);
  if (!listener) return false;
  const bool sent = send_descriptor(socket_, *listener);
  close(*listener);
  return sent;
}

void Helper::serve() {
  while (std::optional<Message> request = receive_message(socket_)) {
    if (request->bytes().empty()) continue;  // the command that it was to end had ended by itself
    if (!send_message(socket_, pack(run(*request)))) break;
  }
  launcher_.end();
}

Result<CommandRun> Helper::run(Message& request) {
  const auto limit_ms = request.take_number();
  Status started = start(request);
  if (!started) return tl::unexpected(started.error());
  const bool in_time = wait_for_end(Clock::now() + std::chrono::milliseconds(limit_ms));
  if (!in_time) launcher_.kill();
  launcher_.finish(launch_);

  CommandRun run;
  const int command_status = launch_.status;
  if (launch_.start_errno != 0) {
    run.ending = {Ending::How::kNotStarted, launch_.start_errno};
  } else if (!in_time) {
    run.ending = {Ending::How::kTimedOut, static_cast<int>(limit_ms)};
  } else if (command_status == -1) {
    return harness_error(
        "the process above a command ended before it; was it killed from outside?");
  } else if (WIFSIGNALED(command_status)) {
    run.ending = {Ending::How::kSignaled, WTERMSIG(command_status)};
  } else {
    run.ending = {Ending::How::kExited, WEXITSTATUS(command_status)};
  }
  run.left_processes = in_time && launch_.left_processes;
  Status cleaned = clean_up(run);
  if (!cleaned) return tl::unexpected(cleaned.error());
  drain();
  run.output = output_.text();
  output_.clear();
  return run;
}

Status Helper::start(Message& request) {
  const bool own_proc = request.take_number() != 0;
  arguments_.resize(static_cast<size_t>(request.take_number()));
  for (std::string& argument : arguments_) argument = request.take_text();
  environment_.resize(static_cast<size_t>(request.take_number()));
  for (std::string& variable : environment_) variable = request.take_text();
  if (!containment_.capabilities().temporary_layer) {
    set_variable(environment_, "TMPDIR", (places_.files / "tmp").string());
  } else {
    // Wherever it leads otherwise, only these folders can be written to.
    std::erase_if(environment_,
                  [](const std::string& entry) { return entry.starts_with("TMPDIR="); });
  }
  if (arguments_.empty()) return harness_error("there is no command to run");
  programs_ = program_candidates(arguments_[0], environment_);
  argument_pointers_ = pointers(arguments_);
  environment_pointers_ = pointers(environment_);
  program_pointers_ = pointers(programs_);

  launch_ = Launch{};
  launch_.programs = program_pointers_.data();
  launch_.arguments = argument_pointers_.data();
  launch_.environment = environment_pointers_.data();
  launch_.directory = containment_.directory().c_str();
  launch_.input = input_;
  launch_.output = output_write_;
  launch_.own_proc = own_proc && own_processes_;
  return launcher_.start(launch_);
}

bool Helper::wait_for_end(Clock::time_point deadline) {
  const auto [process, ended] = launcher_.descriptors();
  std::array<struct pollfd, 4> waits = {{{process, POLLIN, 0},
                                         {output_read_, POLLIN, 0},
                                         {socket_, POLLIN, 0},  // POLLHUP comes unasked
                                         {ended, POLLIN, 0}}};
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    if (poll(waits.data(), waits.size(), static_cast<int>(left)) < 0 && errno != EINTR) give_up();
    if ((waits[2].revents & ~POLLIN) != 0) give_up();
    if (waits[1].revents != 0) drain();
    if (waits[0].revents != 0 || waits[3].revents != 0) return true;
    if (waits[2].revents != 0) {
      if (!receive_message(socket_)) give_up();
      return false;
    }
  }
}

void Helper::drain() {
  std::array<char, 65536> bytes;
  ssize_t got;
  while ((got = read(output_read_, bytes.data(), bytes.size())) > 0) {
    output_.add({bytes.data(), static_cast<size_t>(got)});
  }
}

Status Helper::clean_up(CommandRun& run) {
  if (launch_.proc_mounted) umount2("/proc", MNT_DETACH);
  if (!own_processes_) {
    constexpr int kStepMs = 2;
    const bool timed_out = run.ending.how == Ending::How::kTimedOut;
    for (int waited = 0; children_left(); waited += kStepMs) {
      if (!timed_out && waited < kLingerMs) {
        usleep(kStepMs * 1000);
        continue;
      }
      run.left_processes = !timed_out;
      Status killed = kill_descendants();
      if (!killed) return killed;
      break;
    }
  }
  if (containment_.dirty()) {
    run.left_files = true;
    return containment_.renew();
  }
  if (!containment_.capabilities().temporary_layer) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(places_.files / "tmp", error)) {
      run.left_files = true;
      std::filesystem::remove_all(entry.path(), error);
    }
  }
  return {};
}

void Helper::give_up() {
  launcher_.kill();
  if (!own_processes_) (void)kill_descendants();
  _exit(0);
}

}  // namespace

void serve_commands(int socket, int input, const Places& places, bool plain, uint16_t listen_port,
                    int parent) {
  const int kept = keep_only(socket, input);
  Helper helper(kept, input, places);
  if (helper.prepare(plain, listen_port, parent)) helper.serve();
  _exit(0);
}

}  // namespace everycrash
