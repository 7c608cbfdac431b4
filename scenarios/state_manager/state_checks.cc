#include "scenarios/state_manager/state_checks.h"

#include <dirent.h>
#include <fcntl.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "scenarios/common/file_io.h"
#include "scenarios/state_manager/atomic_save.h"
#include "scenarios/state_manager/runner_slot.h"
#include "scenarios/state_manager/step_runner.h"

namespace scenarios::state_manager {
namespace {

/// What the clock may differ by between two reads, in whole milliseconds.
constexpr int64_t kToleranceMs = 100;
/// Longer than all backoffs and timeouts of one job together.
constexpr int64_t kLongestJobMs = 600000;

Outcome check_step_fields(const Step& step) {
  const auto missing = [&](std::string_view field) {
    return failed("state.json: " + step.name + " is " + std::string(status_name(step.status)) +
                  " without " + std::string(field));
  };
  const bool running = step.status == StepStatus::kRunning;
  const bool failed_once =
      step.status == StepStatus::kFailed || step.status == StepStatus::kFailedStop;
  if (running && step.started_at.empty()) return missing("started_at");
  if (step.status == StepStatus::kDone && step.result.empty()) return missing("result");
  if (failed_once && step.last_error.empty()) return missing("last_error");
  if (step.status == StepStatus::kFailed && step.next_retry_at.empty()) {
    return missing("next_retry_at");
  }
  return {};
}

std::string in_full(const Step& step) {
  std::string text = step.name + " is " + std::string(status_name(step.status));
  if (!step.last_error.empty()) text += " (" + step.last_error + ")";
  return text;
}

Outcome check_output(const std::string& step, const std::optional<std::string>& content) {
  const std::string file = "out/" + output_name(step);
  const std::string expected = output_text(step);
  if (!content) return failed(file + " is missing, but " + step + " is done");
  if (*content == expected) return {};
  const std::string sizes =
      std::to_string(content->size()) + " bytes instead of " + std::to_string(expected.size());
  if (content->size() > expected.size()) {
    return failed(file + " holds lines twice: " + sizes + ", but " + step + " is done");
  }
  const auto wrong =
      std::mismatch(content->begin(), content->end(), expected.begin()).first - content->begin();
  const std::string what = content->size() < expected.size()
                               ? sizes
                               : "byte " + std::to_string(wrong + 1) + " of " +
                                     std::to_string(content->size()) + " is wrong";
  return failed(file + " is not whole: " + what + ", but " + step + " is done");
}

Expected<std::vector<std::string>> list_directory(int directory_fd, const char* name) {
  FileDescriptor listing(openat(directory_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!listing.valid()) return call_failed(std::string("open directory ") + name);
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(fdopendir(listing.get()), closedir);
  if (!entries) return call_failed(std::string("list directory ") + name);
  listing.release();
  std::vector<std::string> names;
  while (const dirent* entry = readdir(entries.get())) {
    const std::string_view found = entry->d_name;
    if (found != "." && found != "..") names.emplace_back(found);
  }
  return names;
}

Outcome leftover(const std::string& name) {
  return failed(is_temp_name(name) ? "the temp file " + name + " is left after the restarted job"
                                   : "the job made no file named " + name);
}

}  // namespace

Outcome check_consistent(const StateDocument& document, const JobOptions& options) {
  const StateDocument fresh = new_document(options.steps);
  if (document.task_id != fresh.task_id || document.steps.size() != fresh.steps.size()) {
    return failed("state.json holds " + std::to_string(document.steps.size()) + " steps of task " +
                  document.task_id + " instead of " + std::to_string(options.steps));
  }
  if (document.version < 1) return failed("state.json has no version");
  for (size_t i = 0; i < fresh.steps.size(); ++i) {
    if (document.steps[i].name != fresh.steps[i].name) {
      return failed("state.json has no " + fresh.steps[i].name);
    }
    if (const Outcome checked = check_step_fields(document.steps[i]); !checked) return checked;
  }
  return {};
}

Outcome check_acknowledged(const StateDocument& document, std::string_view printed) {
  constexpr std::string_view kDone = "done ";
  for (size_t end = printed.find('\n'); end != std::string_view::npos; end = printed.find('\n')) {
    const std::string_view line = printed.substr(0, end);
    printed.remove_prefix(end + 1);
    if (!line.starts_with(kDone)) continue;
    const std::string name(line.substr(kDone.size()));
    const Step* const step = document.find(name);
    if (step == nullptr) {
      return failed("'done " + name + "' was printed, but state.json has no such step");
    }
    if (step->status != StepStatus::kDone) {
      return failed("'done " + name + "' was printed, but state.json says " +
                    std::string(status_name(step->status)));
    }
  }
  return {};
}

Outcome check_outputs(int state_directory_fd, const StateDocument& document) {
  for (const Step& step : document.steps) {
    if (step.status != StepStatus::kDone) continue;
    const auto content = read_file(state_directory_fd, "out/" + output_name(step.name));
    if (!content) return tl::unexpected(content.error());
    if (const Outcome checked = check_output(step.name, *content); !checked) return checked;
  }
  return {};
}

Outcome check_stopped_by_fault(const Step& step) {
  const std::optional<bool> heals = message_heals(step.last_error);
  if (!heals)
    return failed(step.name + " was stopped by what was no failed call: " + step.last_error);
  // Fewer retries may have been of an error before it, that did heal.
  if (!*heals && step.retry_count >= kMaxRetries) {
    return failed(step.name + " was retried " + std::to_string(step.retry_count) +
                  " times though its error cannot heal (" + step.last_error + ")");
  }
  if (*heals && step.retry_count != kMaxRetries) {
    return failed(step.name + " was stopped after " + std::to_string(step.retry_count) +
                  " retries though its error may heal (" + step.last_error + ")");
  }
  return {};
}

Outcome check_finished(const StateDocument& document, const JobOptions& options,
                       const StateDocument* before_restart) {
  for (const Step& step : document.steps) {
    const Step* const earlier =
        before_restart == nullptr ? nullptr : before_restart->find(step.name);
    if (earlier != nullptr && earlier->status == StepStatus::kFailedStop &&
        step.status == StepStatus::kFailedStop) {
      if (const Outcome stopped = check_stopped_by_fault(*earlier); !stopped) return stopped;
      continue;
    }
    const bool bad_input = step.name == options.work.bad_input;
    const bool must_stop = bad_input || step.name == options.work.poisoned;
    if (step.status != (must_stop ? StepStatus::kFailedStop : StepStatus::kDone)) {
      return failed("after the restarted job, " + in_full(step));
    }
    if (bad_input && step.retry_count > 0) {
      return failed(step.name + " was retried " + std::to_string(step.retry_count) +
                    " times though its error cannot heal (" + step.last_error + ")");
    }
    if (step.retry_count > kMaxRetries) {
      return failed(step.name + " was retried " + std::to_string(step.retry_count) +
                    " times; the limit is " + std::to_string(kMaxRetries));
    }
  }
  return {};
}

Outcome check_no_leftovers(int state_directory_fd, const StateDocument& document) {
  const auto top = list_directory(state_directory_fd, ".");
  if (!top) return tl::unexpected(top.error());
  for (const std::string& name : *top) {
    if (name != "state.json" && name != "out" && !is_lock_name(name)) return leftover(name);
  }
  std::set<std::string> outputs;
  for (const Step& step : document.steps) outputs.insert(output_name(step.name));
  const auto out = list_directory(state_directory_fd, "out");
  if (!out) return tl::unexpected(out.error());
  for (const std::string& name : *out) {
    if (!outputs.contains(name)) return leftover("out/" + name);
  }
  return {};
}

Outcome check_mails(const StateDocument& document, const std::vector<Mail>* before,
                    const std::vector<Mail>& after) {
  struct Count {
    int before = 0;
    int after = 0;
  };
  std::map<std::string, Count> counts;
  for (const Step& step : document.steps) counts[step.name] = {};
  if (before != nullptr) {
    for (const Mail& mail : *before) ++counts[mail.step].before;
  }
  for (const Mail& mail : after) ++counts[mail.step].after;
  for (const auto& [name, count] : counts) {
    const Step* const step = document.find(name);
    if (step == nullptr) return failed("a mail was sent for " + name + ", which is no step");
    const int total = count.before + count.after;
    if (total > 1) {
      return failed("the mail of " + name + " was accepted " + std::to_string(total) + " times (" +
                    std::to_string(count.before) + " before the restart, " +
                    std::to_string(count.after) + " by it)");
    }
    if (total == 0 && before != nullptr && step->status == StepStatus::kDone) {
      return failed("the mail of " + name + " was never sent, but the step is done");
    }
  }
  return {};
}

Outcome check_takeover_times(const StateDocument& before, const StateDocument& after,
                             int64_t restarted_at_ms) {
  for (const Step& step : before.steps) {
    const Step* const later = after.find(step.name);
    if (step.status == StepStatus::kDone || later == nullptr) continue;
    const auto finished_at_ms = parse_time(later->updated_at, TimeZone::kUtc);
    if (!finished_at_ms) return failed(step.name + ": " + finished_at_ms.error().message);
    const int64_t took_ms = *finished_at_ms - restarted_at_ms;
    if (took_ms > kLongestJobMs) {
      return failed("the restarted job waited until " + std::to_string(took_ms / 1000) +
                    " s after its start to finish " + step.name);
    }
    if (step.status != StepStatus::kRunning) continue;
    const int64_t started_at_ms =
        parse_time(step.started_at, TimeZone::kUtc).value_or(restarted_at_ms);
    const int64_t age_ms = *finished_at_ms - std::min(started_at_ms, restarted_at_ms);
    if (age_ms + kToleranceMs < kStaleMs) {
      return failed(step.name + " was taken over " + std::to_string(age_ms) +
                    " ms after another runner had started it; that runner may still live until " +
                    std::to_string(kStaleMs) + " ms");
    }
  }
  return {};
}

}  // namespace scenarios::state_manager
