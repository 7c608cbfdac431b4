// A judge as campaigns see one: it judges states, and what comes after them can be looked at.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "harness/check/examination.h"
#include "harness/check/judge.h"
#include "harness/effects/sink_memory.h"

namespace everycrash {

/// One for each worker. Use by one thread at a time. The seam at which tests put a judge that
/// starts no process.
class Seat : public StateJudgement {
 public:
  /// Runs on STATE what a user would run after the crash, and reads what it leaves.
  virtual Result<Aftermath> aftermath(const StateView& state) = 0;
  /// What the receiver of requests had done when the crash came.
  [[nodiscard]] virtual SinkMemory sink_memory(const StateView& state) const = 0;
  /// Sets NAME to VALUE in the environment of all commands, from now on.
  virtual void set_for_commands(std::string_view name, std::string_view value) = 0;
  /// Judges the state at the end of the undisturbed run, which must be good: kHarness if it is not.
  [[nodiscard]] virtual Status check_undisturbed() = 0;
};

/// The judge in a sandbox.
class SandboxSeat final : public Seat {
 public:
  explicit SandboxSeat(std::unique_ptr<StateJudge> judge) : judge_(std::move(judge)) {}
  Result<std::vector<Complaint>> judge(const StateView& state) override {
    return judge_->judge(state);
  }
  Result<Aftermath> aftermath(const StateView& state) override { return judge_->aftermath(state); }
  [[nodiscard]] SinkMemory sink_memory(const StateView& state) const override {
    return judge_->sink_memory(state);
  }
  void set_for_commands(std::string_view name, std::string_view value) override {
    judge_->set_for_commands(name, value);
  }
  [[nodiscard]] Status check_undisturbed() override { return judge_->check_undisturbed(); }
  [[nodiscard]] StateJudge& state_judge() { return *judge_; }

 private:
  std::unique_ptr<StateJudge> judge_;
};

}  // namespace everycrash
