#include "scenarios/job_ledger/job_options.h"

#include <chrono>

namespace scenarios::job_ledger {
namespace {

constexpr int kMaxDays = 1000;

}  // namespace

int64_t now_ms(const JobOptions& options) {
  using std::chrono::milliseconds;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<milliseconds>(now).count() + options.clock_offset_s * 1000;
}

void add_options(OptionSet& set, JobOptions& options) {
  set.number("--days", 1, kMaxDays, options.days);
  set.mistake(kBreaks, options.mistake);
  add_common_options(set, options);
}

}  // namespace scenarios::job_ledger
