#include "scenarios/state_manager/job_options.h"

#include <limits>

namespace scenarios::state_manager {
namespace {

constexpr int kMaxSteps = 100000;
constexpr int64_t kMaxStartTimeS = 100000000000;

}  // namespace

SkipClock make_clock(const JobOptions& options) {
  std::optional<int64_t> start_ms;
  if (options.start_time_s) start_ms = *options.start_time_s * 1000;
  return SkipClock(options.clock_offset_s * 1000, start_ms);
}

void add_options(OptionSet& set, JobOptions& options) {
  set.number("--steps", 1, kMaxSteps, options.steps);
  set.number("--seed", 0, std::numeric_limits<int64_t>::max(), options.work.seed);
  set.text("--poison", options.work.poisoned);
  set.text("--bad-input", options.work.bad_input);
  set.mistake(kBreaks, options.mistake);
  set.number("--start-time", 0, kMaxStartTimeS, options.start_time_s);
  set.flag("--mark-calls", options.mark_calls);
  add_common_options(set, options);
}

}  // namespace scenarios::state_manager
