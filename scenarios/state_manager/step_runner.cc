#include "scenarios/state_manager/step_runner.h"

#include <unistd.h>

#include <algorithm>

#include "scenarios/state_manager/step_markers.h"

namespace scenarios::state_manager {
namespace {

void set_back_to_pending(Step& step) {
  step.status = StepStatus::kPending;
  step.runner = 0;
  step.started_at.clear();
}

}  // namespace

StepRunner::StepRunner(StateStore& store, MailClient& mail, SkipClock& clock, Break mistake,
                       WorkOptions options)
    : store_(store),
      mail_(mail),
      clock_(clock),
      mistake_(mistake),
      options_(std::move(options)),
      deadlines_(clock, mistake) {}

Outcome StepRunner::run() {
  while (true) {
    if (const Outcome taken = take_back_stale_steps(); !taken) return taken;
    int64_t wait_ms = 0;
    if (const Step* const next = next_step(wait_ms)) {
      const std::string name = next->name;
      if (const Outcome ran = run_step(name); !ran) return ran;
      continue;
    }
    if (wait_ms < 0) return {};
    if (const Outcome waited = wait(wait_ms); !waited) return waited;
  }
}

Outcome StepRunner::wait(int64_t wait_ms) {
  const auto& steps = store_.document().steps;
  const bool others_work = std::any_of(steps.begin(), steps.end(), [this](const Step& step) {
    return step.status == StepStatus::kRunning && step.runner != store_.runner();
  });
  if (others_work && store_.another_runner_lives()) {
    SkipClock::nap();
  } else {
    clock_.skip(wait_ms);
  }
  return store_.refresh();
}

int64_t StepRunner::until_stale_ms(const Step& step) {
  if (mistake_ == Break::kRecoverEverything) return 0;
  return deadlines_.remaining_ms(step.name, step.started_at, kStaleMs, kStaleMs);
}

int64_t StepRunner::until_runnable_ms(const Step& step) {
  return deadlines_.remaining_ms(step.name, step.next_retry_at, 0, kLongestBackoffMs + kJitterMs);
}

Outcome StepRunner::take_back_stale_steps() {
  const auto is_stale = [this](const Step& step) {
    return step.status == StepStatus::kRunning && until_stale_ms(step) == 0;
  };
  const auto& steps = store_.document().steps;
  if (std::none_of(steps.begin(), steps.end(), is_stale)) return {};
  const auto taken = store_.update([&](StateDocument& document) {
    bool any = false;
    for (Step& step : document.steps) {
      if (!is_stale(step)) continue;
      set_back_to_pending(step);
      any = true;
    }
    return any;
  });
  if (!taken) return tl::unexpected(taken.error());
  if (*taken) mark_step("recovered");
  return {};
}

const Step* StepRunner::next_step(int64_t& wait_ms) {
  wait_ms = -1;
  for (const Step& step : store_.document().steps) {
    if (step.status == StepStatus::kPending) return &step;
    if (step.status != StepStatus::kFailed && step.status != StepStatus::kRunning) continue;
    const bool failed_before = step.status == StepStatus::kFailed;
    const int64_t step_wait_ms = failed_before ? until_runnable_ms(step) : until_stale_ms(step);
    if (failed_before && step_wait_ms == 0) return &step;
    wait_ms = wait_ms < 0 ? step_wait_ms : std::min(wait_ms, step_wait_ms);
  }
  return nullptr;
}

Outcome StepRunner::run_step(const std::string& name) {
  const auto running = mark_running(name);
  if (!running) return tl::unexpected(running.error());
  if (!*running) return {};
  mark_step("mark-running");
  if (const Outcome worked = work(name); !worked) return mark_failed(name, worked.error());
  mark_step("work");
  if (mistake_ == Break::kDoneBeforeEffect) {
    return finish(name).and_then([&] { return send_mail(name); });
  }
  return send_mail(name).and_then([&] { return finish(name); });
}

Expected<bool> StepRunner::mark_running(const std::string& name) {
  return store_.update([&](StateDocument& document) {
    Step* const step = document.find(name);
    const bool can_run =
        step != nullptr && (step->status == StepStatus::kPending ||
                            (step->status == StepStatus::kFailed && until_runnable_ms(*step) == 0));
    if (!can_run) return false;
    started_at_ = format_time(clock_.now_ms());
    step->status = StepStatus::kRunning;
    step->runner = store_.runner();
    step->started_at = started_at_;
    step->updated_at.clear();
    step->next_retry_at.clear();
    return true;
  });
}

Outcome StepRunner::work(const std::string& name) {
  const Step* const step = store_.document().find(name);
  const auto text = do_work(name, step->retry_count, options_);
  if (!text) return tl::unexpected(text.error());
  if (mistake_ == Break::kAppendOutput) return store_.append_output(output_name(name), *text);
  return store_.save_output(output_name(name), *text);
}

Outcome StepRunner::mark_failed(const std::string& name, const Failure& failure) {
  const char* what = "retry";
  const auto marked = store_.update([&](StateDocument& document) {
    Step* const step = document.find(name);
    if (step == nullptr || !is_ours(*step)) return false;
    const bool may_heal = failure.heals || mistake_ == Break::kRetryPermanent;
    const bool may_retry = step->retry_count < kMaxRetries || mistake_ == Break::kUnlimitedRetries;
    set_back_to_pending(*step);
    step->last_error = failure.message;
    const int64_t now_ms = clock_.now_ms();
    step->updated_at = format_time(now_ms);
    if (!may_heal || !may_retry) {
      step->status = StepStatus::kFailedStop;
      what = "dead-letter";
      return true;
    }
    step->status = StepStatus::kFailed;
    step->next_retry_at = format_time(now_ms + backoff_ms(name, step->retry_count, options_.seed));
    ++step->retry_count;
    return true;
  });
  if (!marked) return tl::unexpected(marked.error());
  if (*marked) mark_step(what);
  return {};
}

Outcome StepRunner::send_mail(const std::string& name) {
  Mail mail{name, store_.document().task_id + "/" + name};
  if (mistake_ == Break::kEffectWithoutKey) mail.key.clear();
  if (mistake_ == Break::kKeyWithTimestamp) mail.key += "/" + started_at_;
  const Outcome sent = mail_.send_mail(mail);
  if (sent) mark_step("effect");
  return sent;
}

Outcome StepRunner::finish(const std::string& name) {
  const auto marked = store_.update([&](StateDocument& document) {
    Step* const step = document.find(name);
    if (step == nullptr || !is_ours(*step)) return false;
    set_back_to_pending(*step);
    step->status = StepStatus::kDone;
    step->updated_at = format_time(clock_.now_ms());
    step->result = "out/" + output_name(name);
    return true;
  });
  if (!marked) return tl::unexpected(marked.error());
  if (!*marked) return {};
  mark_step("mark-done");
  return write_all(STDOUT_FILENO, "done " + name + "\n", "standard output");
}

bool StepRunner::is_ours(const Step& step) const {
  return step.status == StepStatus::kRunning && step.runner == store_.runner() &&
         step.started_at == started_at_;
}

}  // namespace scenarios::state_manager
