#include "harness/campaign/chaos_counts.h"

#include "harness/inject/fault_text.h"
#include "harness/inject/faulted_runs.h"
#include "harness/trace/event.h"

namespace everycrash {
namespace {

std::string word_for(const faults::Fault& fault) {
  const bool network = faults::is_network(fault);
  const bool read = fault.call == preload::FaultQuery::kRead;
  switch (fault.action) {
    case faults::Action::kKillBefore:
    case faults::Action::kKillAfter:
      return "kill";
    case faults::Action::kError:
      return network ? "network error" : read ? "read error" : "error";
    case faults::Action::kShort:
      return network ? "short receive" : read ? "short read" : "short";
    case faults::Action::kFull:
      return "full";
    case faults::Action::kDelay:
      return "delay";
    case faults::Action::kClock:
      return "clock";
    case faults::Action::kHang:
      return "partition";
    default:
      return "other";
  }
}

}  // namespace

void count_faults(const std::vector<std::string>& plan, const FaultedRun& run,
                  ChaosCounts& counts) {
  for (size_t i = 0; i < plan.size(); ++i) {
    const Result<faults::Fault> fault = read_fault(plan[i]);
    EVERYCRASH_ASSERT(fault.has_value());
    const bool from_start = fault->call == faults::kStart;
    const uint64_t met = from_start ? 1 : run.faults.fired[i];
    if (met == 0) continue;
    const std::string word = word_for(*fault);
    counts.faults[word] += met;
    if (word == "error" || word == "short" || word == "full") counts.failed_writes += met;
  }
}

void count_steps(const std::string& events, ChaosCounts& counts) {
  for (const Event& event : parse_events(events)) {
    if (!event.is_effect() && !event.step.empty()) ++counts.steps[std::string(event.step)];
  }
}

std::chrono::milliseconds mean_recovery(const ChaosCounts& counts) {
  return counts.succeeded == 0 ? std::chrono::milliseconds(0)
                               : counts.recovery_total / static_cast<int64_t>(counts.succeeded);
}

}  // namespace everycrash
