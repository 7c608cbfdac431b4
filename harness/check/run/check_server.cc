#include "harness/check/run/check_server.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <limits>
#include <utility>

namespace everycrash {
namespace {

constexpr int kFailuresMax = 3;
constexpr size_t kAnswerBytesMax = 64;

}  // namespace

Result<std::unique_ptr<CheckServer>> CheckServer::start(SandboxOptions options,
                                                        const Command& check) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return system_error("cannot make a socket", errno);
  options.input = ends[1];
  Result<std::unique_ptr<Sandbox>> sandbox = Sandbox::start(options);
  if (!sandbox) {
    close(ends[0]);
    close(ends[1]);
    return tl::unexpected(sandbox.error());
  }
  return std::unique_ptr<CheckServer>(
      new CheckServer(std::move(*sandbox), check, ends[0], ends[1]));
}

CheckServer::CheckServer(std::unique_ptr<Sandbox> sandbox, const Command& check, int socket,
                         int other_end)
    : sandbox_(std::move(sandbox)),
      states_(*sandbox_),
      check_(check),
      socket_(socket),
      other_end_(other_end),
      ended_(eventfd(0, EFD_CLOEXEC)) {
  EVERYCRASH_ASSERT(ended_ >= 0);
  states_.add_to(check_.environment);
  set_variable(check_.environment, "EVERYCRASH_CHECK_SERVER", "1");
}

CheckServer::~CheckServer() {
  end_checker();
  close(ended_);
  close(other_end_);
  close(socket_);
}

void CheckServer::start_checker() {
  runner_ = std::thread([this] {
    const Result<CommandRun> run = sandbox_->run(check_, std::numeric_limits<int>::max());
    if (!run) error_ = run.error();
    const uint64_t one = 1;
    EVERYCRASH_ASSERT(write(ended_, &one, sizeof one) == sizeof one);
  });
}

/// Ends the checker, if there is one, and forgets what it still said.
void CheckServer::end_checker() {
  if (!runner_.joinable()) return;
  sandbox_->end_command();
  runner_.join();
  uint64_t count = 0;
  EVERYCRASH_ASSERT(read(ended_, &count, sizeof count) == sizeof count);
  char rest[256];
  while (recv(socket_, rest, sizeof rest, MSG_DONTWAIT) > 0) {
  }
  while (recv(other_end_, rest, sizeof rest, MSG_DONTWAIT) > 0) {
  }
}

Result<CheckServer::Answer> CheckServer::read_answer(const std::string& number, int limit_ms) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(limit_ms);
  std::string line;
  while (line.size() < kAnswerBytesMax) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now())
            .count();
    pollfd waits[] = {{socket_, POLLIN, 0}, {ended_, POLLIN, 0}};
    if (left <= 0) return Answer::kNone;
    if (poll(waits, 2, static_cast<int>(left)) <= 0) continue;
    if (waits[0].revents != 0) {
      char bytes[kAnswerBytesMax];
      const ssize_t got = recv(socket_, bytes, sizeof bytes, MSG_DONTWAIT);
      if (got > 0) line.append(bytes, static_cast<size_t>(got));
      if (line == "ok " + number + "\n") return Answer::kFine;
      if (line == "bad " + number + "\n") return Answer::kBad;
      if (line.find('\n') != std::string::npos) return Answer::kNone;
    } else if (waits[1].revents != 0) {
      return Answer::kNone;
    }
  }
  return Answer::kNone;
}

Result<CheckServer::Answer> CheckServer::ask(const GivenState& state, int limit_ms) {
  if (failures_ >= kFailuresMax) return Answer::kNone;
  if (Status done = states_.put(state); !done) return tl::unexpected(done.error());
  if (!runner_.joinable()) start_checker();
  const std::string number = std::to_string(++asked_);
  const std::string question = "state " + number + "\n";
  Result<Answer> answer = Answer::kNone;
  if (send(socket_, question.data(), question.size(), MSG_NOSIGNAL) ==
      static_cast<ssize_t>(question.size())) {
    answer = read_answer(number, limit_ms);
  }
  if (answer && *answer == Answer::kNone) {
    ++failures_;
    end_checker();
    if (error_) return tl::unexpected(*error_);
  } else {
    failures_ = 0;
  }
  if (const Result<bool> changed = states_.note_changes(); !changed)
    return tl::unexpected(changed.error());
  return answer;
}

}  // namespace everycrash
