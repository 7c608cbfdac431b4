// What a campaign did not judge, or not as it would have elsewhere, and why. Plain values;
// sentences are made of them elsewhere.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "harness/base/crash_kind.h"

namespace everycrash {

/// A state, or an order of two runners, that nobody could judge, as a judge said why: one for each
/// distinct reason, and only the first ones of an exploration.
struct UnjudgedState {
  std::string reason;
};
/// More reasons like these.
struct MoreReasons {
  size_t count = 0;
};
/// What was changed through a mapping between two calls was taken as one step.
struct StoresBetweenCalls {
  std::string path;
  size_t more = 0;  ///< files like it
};
/// States were not judged by a clock, since PROGRAM asks the kernel for the time.
struct StartsByUnseenClock {
  std::string clock;
  std::string program;
};
/// A real file system could not be explored.
struct RealRefused {
  std::string file_system;
  std::string why;
};
/// --fail-fast: these were not begun.
struct PartsLeftOut {
  struct Part {
    CrashKind crash = CrashKind::kKill;
    std::string under;  ///< a model or a real file system; may be empty
  };
  std::vector<Part> parts;
};
/// No second crash was tried on states that one crash makes fail.
struct RejectedBeforeRecovery {
  uint64_t states = 0;
};
/// Recoveries that did not succeed, and so were not crashed.
struct FailedRecoveries {
  uint64_t count = 0;
};
/// One of them.
struct FailedRecovery {
  std::string point;  ///< where the run was crashed that it was to recover from
  std::string why;
};
/// Two runners on what a crash left that had this lock.
struct UnusableStart {
  std::string lock;
  std::string why;
};
/// Two runners, one after the other, do not leave that file alike each time.
struct VariesSerially {
  std::string path;
};
/// An order of two runners that could not be judged.
struct UnjudgedOrder {
  std::string reason;
};
/// The second runner waits for ever for the first one, which was killed.
struct WaitsForKilled {};

using Gap =
    std::variant<UnjudgedState, MoreReasons, StoresBetweenCalls, StartsByUnseenClock, RealRefused,
                 PartsLeftOut, RejectedBeforeRecovery, FailedRecoveries, FailedRecovery,
                 UnusableStart, VariesSerially, UnjudgedOrder, WaitsForKilled>;

/// A lock names the PID namespace that the workload ran in, so that what runs on a state runs in
/// it.
struct SharedProcesses {
  std::string lock;
};
/// There is one worker only, which shares the sink on this machine's loopback.
struct OneNetwork {};
/// Runs with failing calls are made one after the other, in the network of this machine.
struct OneFaultedRunAtATime {
  enum class Why : uint8_t {
    kSinkListens,   ///< on that network
    kFails,         ///< without it the workload fails
    kOtherEffects,  ///< without it the workload does not have the same effects
    kNotAllowed,    ///< this machine has no other; `refusal` says how
  } why = Why::kFails;
  std::string refusal;
};
/// What this machine does not allow the sandboxes, as they say it.
struct SandboxLimits {
  std::string explanation;
};
/// States are built on a disk, in that folder.
struct NoMemoryFileSystem {
  std::string folder;
};

/// What this machine, or this workload, did not allow, and what was done instead.
using Limitation = std::variant<SandboxLimits, SharedProcesses, OneNetwork, NoMemoryFileSystem,
                                OneFaultedRunAtATime>;

}  // namespace everycrash
