// Crash states of a power loss, rebuilt from the trace for one worker.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "harness/check/examination.h"
#include "harness/explore/power_builder.h"
#include "harness/explore/power_states.h"
#include "harness/trace/trace.h"

namespace everycrash {

/// All that a run printed and all its event lines, and how much of both there was after each
/// record. Immutable, shared by workers.
class Outputs {
 public:
  explicit Outputs(const Trace& trace);
  [[nodiscard]] std::string_view printed_until(uint64_t record) const;
  [[nodiscard]] std::string_view events_until(uint64_t record) const;
  /// True if nothing was changed or printed behind RECORD.
  [[nodiscard]] bool is_over(uint64_t record) const { return record >= end_; }

 private:
  struct Step {
    uint64_t record;
    size_t printed;
    size_t events;
  };
  [[nodiscard]] Step step(uint64_t record) const;

  std::string printed_;
  std::string events_;
  std::vector<Step> steps_;
  uint64_t end_ = 0;
};

/// For one thread. STATES, OUTPUTS, TRACE and HISTORY must outlive it; STATES may change between
/// examinations.
class PowerStateMaker : public StateMaker {
 public:
  PowerStateMaker(const Trace& trace, const UnitHistory& history, const Outputs& outputs,
                  const std::vector<PowerState>& states)
      : builder_(trace, history), outputs_(outputs), states_(states) {}

  Result<StateView> make(size_t number) override;

 private:
  PowerStateBuilder builder_;
  const Outputs& outputs_;
  const std::vector<PowerState>& states_;
};

}  // namespace everycrash
