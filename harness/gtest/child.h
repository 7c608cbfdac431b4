// The part of a crash test that runs in children of the test program: which part this process has,
// and playing it. Internal to everycrash::gtest.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "everycrash/gtest.h"

namespace everycrash::internal {

/// The exit status of what cannot be done here: everycrash's own, and that of a checker which
/// cannot tell. harness/base/exit_status.h has it, too; these sources are installed without that.
inline constexpr int kSkipped = 77;

/// A child is told its part by the test filter that it is started with, "Suite.Name" followed by
/// ":everycrash.PART.NUMBER": a pattern that fits no test, on a command line that holds all that a
/// later replay needs.
struct Part {
  std::string name;  ///< "prepare", "workload" or "check"; "" = this is the test itself
  int number = 0;    ///< of the EXPECT_CRASH_CONSISTENT in its test, from 1
};

/// Of this process, from its command line.
[[nodiscard]] const Part& own_part();

/// The words that start this program again in that part of the test that runs now.
[[nodiscard]] std::string command_for(const Part& part);
/// The same as an argument vector.
[[nodiscard]] std::vector<std::string> arguments_for(const Part& part);

/// WORD as it stands on a command line for a shell.
[[nodiscard]] std::string quoted_for_shell(std::string_view word);

/// Plays the parts; none of them returns.
[[noreturn]] void run_and_exit(const std::function<void()>& function);
[[noreturn]] void check_and_exit(const Check& check);

}  // namespace everycrash::internal
