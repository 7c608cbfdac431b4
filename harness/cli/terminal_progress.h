// Progress of a campaign on a terminal, in its log, and for who asks by SIGUSR1.
#pragma once

#include <string>

#include "harness/campaign/progress.h"
#include "reports/terminal.h"

namespace everycrash::cli {

/// Refers to TERMINAL. What is going on is kept for SIGUSR1 (status.h) also where QUIET, but not
/// drawn.
class TerminalProgress final : public Progress {
 public:
  TerminalProgress(reports::Terminal& terminal, bool quiet) : terminal_(terminal), quiet_(quiet) {}

  void recording(const std::string& program) override;
  void judging_undisturbed() override;
  void begin_states(CrashKind crash, std::string_view model, uint64_t total,
                    std::optional<TimePoint> deadline) override;
  void judged(size_t done, size_t violated) override;
  void recovering(uint32_t crashes, size_t number, size_t total) override;
  void ran_pair(int preemptions, uint64_t done, size_t total, uint64_t violated) override;
  void judged_on_disk(const std::string& file_system, size_t schedule, uint64_t done,
                      uint64_t violated) override;
  void end() override;

 private:
  void draw(const std::string& line);

  reports::Terminal& terminal_;
  bool quiet_;
};

}  // namespace everycrash::cli
