#include "harness/cli/terminal_progress.h"

#include <fmt/format.h>

#include "harness/cli/kernel.h"
#include "harness/cli/status.h"

namespace everycrash::cli {

void TerminalProgress::recording(const std::string& program) {
  begin_phase("recording " + program);
}

void TerminalProgress::judging_undisturbed() {
  begin_phase("judging the undisturbed run");
}

void TerminalProgress::begin_states(CrashKind crash, std::string_view model, uint64_t total,
                                    std::optional<TimePoint> deadline) {
  cli::begin_states(fmt::format("{}{}{}", name_of(crash), model.empty() ? "" : " ", model), total,
                    deadline);
}

void TerminalProgress::judged(size_t done, size_t violated) {
  if (!quiet_) tell_progress(terminal_, done, violated);
}

void TerminalProgress::recovering(uint32_t crashes, size_t number, size_t total) {
  draw(fmt::format("crash {} in a row: recovery {} of {}", crashes + 1, number, total));
}

void TerminalProgress::ran_pair(int preemptions, uint64_t done, size_t total, uint64_t violated) {
  draw(fmt::format("two runners, {} preemption{}: {} of {}; {} violated", preemptions,
                   preemptions == 1 ? "" : "s", done, total, violated));
}

void TerminalProgress::judged_on_disk(const std::string& file_system, size_t schedule,
                                      uint64_t done, uint64_t violated) {
  draw(fmt::format("real {} ({}), schedule {}: {} states, {} failing", file_system, kernel_name(),
                   schedule, done, violated));
}

void TerminalProgress::end() {
  terminal_.clear_progress();
}

void TerminalProgress::draw(const std::string& line) {
  if (!quiet_) terminal_.progress(line);
}

}  // namespace everycrash::cli
