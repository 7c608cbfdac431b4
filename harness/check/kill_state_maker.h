// Crash states of a killed process, rebuilt from the trace for one worker.
#pragma once

#include "harness/check/examination.h"
#include "harness/explore/kill_states.h"
#include "harness/explore/state_builder.h"

namespace everycrash {

/// For one thread. KILLS must outlive it.
class KillStateMaker : public StateMaker {
 public:
  KillStateMaker(StateBuilder builder, const KillStates& kills)
      : builder_(std::move(builder)), kills_(kills) {}

  Result<StateView> make(size_t number) override {
    if (Status ok = builder_.move_to(kills_.states()[number].point); !ok)
      return tl::unexpected(ok.error());
    return StateView{.tree = &builder_.tree(),
                     .record = kills_.states()[number].point.record,
                     .printed = builder_.printed(),
                     .events = builder_.events(),
                     .cut = kills_.states()[number].point.cut};
  }

 private:
  StateBuilder builder_;
  const KillStates& kills_;
};

}  // namespace everycrash
