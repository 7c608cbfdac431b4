// One runner: takes steps one after the other until all are done or stopped.
//
// A step:  mark running | work, save the output | send the mail | mark done | acknowledge
//
// Each mark is durable before the next part begins, so after a crash the state says what may have
// been begun. Work and mail can be repeated: the output is replaced whole and the mail carries the
// same key each time. A step that is still marked running after kStaleMs belongs to a runner that
// died, and goes back to pending.
#pragma once

#include <string>

#include "scenarios/state_manager/deadline.h"
#include "scenarios/state_manager/mail_client.h"
#include "scenarios/state_manager/skip_clock.h"
#include "scenarios/state_manager/state_store.h"
#include "scenarios/state_manager/step_work.h"

namespace scenarios::state_manager {

inline constexpr int64_t kStaleMs = 20000;

/// Not thread-safe. Owns nothing: store, mail client and clock must outlive it.
class StepRunner {
 public:
  StepRunner(StateStore& store, MailClient& mail, SkipClock& clock, Break mistake,
             WorkOptions options);

  /// Returns once each step is done or stopped. Fails when the state cannot be saved or the
  /// outside world is gone; the state then says where to go on.
  [[nodiscard]] Outcome run();

 private:
  [[nodiscard]] Outcome take_back_stale_steps();
  [[nodiscard]] int64_t until_runnable_ms(const Step& step);
  [[nodiscard]] int64_t until_stale_ms(const Step& step);
  /// The first step that can run now, or nullptr; then `wait_ms` is the time until something can
  /// change, or negative if nothing will.
  [[nodiscard]] const Step* next_step(int64_t& wait_ms);

  /// Lets that time pass, or part of it while another runner may change the state meanwhile.
  [[nodiscard]] Outcome wait(int64_t wait_ms);

  [[nodiscard]] Outcome run_step(const std::string& name);
  [[nodiscard]] Expected<bool> mark_running(const std::string& name);
  [[nodiscard]] Outcome work(const std::string& name);
  [[nodiscard]] Outcome mark_failed(const std::string& name, const Failure& failure);
  [[nodiscard]] Outcome send_mail(const std::string& name);
  /// Marks the step done and acknowledges it, if it is still ours.
  [[nodiscard]] Outcome finish(const std::string& name);
  [[nodiscard]] bool is_ours(const Step& step) const;

  StateStore& store_;
  MailClient& mail_;
  SkipClock& clock_;
  Break mistake_;
  WorkOptions options_;
  Deadlines deadlines_;
  std::string started_at_;  ///< of the step at work: with the runner's number it says "ours"
};

}  // namespace scenarios::state_manager
