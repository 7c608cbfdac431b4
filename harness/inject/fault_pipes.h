// The named pipes through which fiu-ctrl reaches the processes of a run.
#pragma once

#include <string>

namespace everycrash {

/// Where the user wants the pipes: $EVERYCRASH_FIU_FIFO made absolute, "" = no remote control. Each
/// process makes PREFIX-PID.in and PREFIX-PID.out.
[[nodiscard]] std::string fault_pipes_prefix();

/// Removes the pipes of processes that are gone when it goes: killed processes leave theirs behind.
/// Those of living processes, which may belong to others, stay.
class FaultPipes {
 public:
  FaultPipes() = default;
  FaultPipes(const FaultPipes&) = delete;
  FaultPipes& operator=(const FaultPipes&) = delete;
  ~FaultPipes();
};

}  // namespace everycrash
