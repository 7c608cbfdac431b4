// What recovery and the checker, the user's own, say of a state.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "harness/base/error.h"
#include "harness/check/examination.h"
#include "harness/check/failed_command.h"
#include "harness/check/grounds.h"
#include "harness/check/verdict.h"

namespace everycrash {

class CheckServer;
class StateRunner;

/// A command that runs out of time gets a second run with so many times the limit before that is
/// held against it.
inline constexpr int kPatience = 4;

/// Runs them by RUNNER, which must outlive it, as GROUNDS must. For one thread.
class CommandJudge {
 public:
  CommandJudge(StateRunner& runner, const Grounds& grounds);
  ~CommandJudge();

  /// See StateJudge::use_server().
  void use_server(std::unique_ptr<CheckServer> server);
  [[nodiscard]] CheckServer* server() { return server_.get(); }

  /// What is wrong with STATE; empty = nothing, or none of them is to judge. UNDISTURBED: it is the
  /// state without a crash.
  Result<std::vector<Complaint>> judge(const StateView& state, bool undisturbed);

 private:
  Result<std::vector<Complaint>> run_patiently(const StateView& state, bool undisturbed);
  Result<std::vector<Complaint>> run(const StateView& state, bool undisturbed, int limit_ms);
  Status recover(const StateView& state, bool undisturbed, int limit_ms,
                 std::vector<Complaint>& complaints);

  StateRunner& runner_;
  const Grounds& grounds_;
  std::unique_ptr<CheckServer> server_;  // may be null
  uint64_t asked_ = 0;                   // the server
};

/// The complaint about a command that FAILED on a state, UNDISTURBED or not.
[[nodiscard]] Complaint held(FailedCommand failed, bool undisturbed);

}  // namespace everycrash
