// A checker that judges many states in one process, so that a check of microseconds does not pay
// for a process each time.
//
// The checker is the user's own command, started with EVERYCRASH_CHECK_SERVER=1 beside the other
// EVERYCRASH_* variables. Its standard input is a socket: for each state it reads a line "state N"
// and answers, on the same socket, with the line "ok N" or "bad N"; at the end of the input it
// exits. Its working directory holds the state. A command that knows nothing of this ends without
// an answer, and costs only that. In sh:
//
//   while read -r _ n; do if test -s file; then echo "ok $n"; else echo "bad $n"; fi >&0; done
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "harness/base/error.h"
#include "harness/check/run/command.h"
#include "harness/check/run/given_state.h"
#include "harness/check/run/sandbox.h"

namespace everycrash {

/// One such process, in a sandbox and with a tree of its own. Use by one thread at a time;
/// cancel() from any.
class CheckServer {
 public:
  enum class Answer : uint8_t {
    kFine,
    kBad,   ///< rejected, or it cannot tell
    kNone,  ///< it died, took too long, or does not understand: somebody else must judge
  };

  /// OPTIONS name a work directory of its own. Starts processes, so call it before threads; the
  /// checker itself starts with the first question. Fails as Sandbox::start().
  static Result<std::unique_ptr<CheckServer>> start(SandboxOptions options, const Command& check);
  CheckServer(const CheckServer&) = delete;
  CheckServer& operator=(const CheckServer&) = delete;
  /// Ends the checker and waits for it.
  ~CheckServer();

  /// What the checker says of STATE within LIMIT_MS. After a few deaths in a row it is not started
  /// again, and all answers are kNone. An error means that the machine failed, or kInterrupted.
  Result<Answer> ask(const GivenState& state, int limit_ms);

  [[nodiscard]] Sandbox& sandbox() { return *sandbox_; }

 private:
  CheckServer(std::unique_ptr<Sandbox> sandbox, const Command& check, int socket, int other_end);
  Result<Answer> read_answer(const std::string& number, int limit_ms);
  void start_checker();
  void end_checker();

  std::unique_ptr<Sandbox> sandbox_;
  GivenStates states_;
  Command check_;
  int socket_;     ///< this side of the checker's standard input
  int other_end_;  ///< kept open, so that a checker that ends can be followed by another
  int ended_;      ///< eventfd: the checker has ended
  std::thread runner_;
  std::optional<Error> error_;  ///< of the sandbox; read after runner_ has ended
  int failures_ = 0;            ///< in a row
  uint64_t asked_ = 0;
};

}  // namespace everycrash
