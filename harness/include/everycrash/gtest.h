// Crash tests beside unit tests: GoogleTest on top of the command `everycrash`.
//
//   TEST(Store, survives_crashes) {
//     EXPECT_CRASH_CONSISTENT([] { Store("db").put("a", 1); },                // recorded once
//                             [] { EXPECT_TRUE(Store("db").is_valid()); });   // on each state
//   }
//
// The workload runs once, recorded, in an empty folder of its own: its working directory. The check
// runs on every state in which a crash could have left that folder, with the state as its working
// directory; it fails by any failed EXPECT or ASSERT, by returning false or a failed
// AssertionResult, by an exception, or by crashing. GTEST_SKIP() in it means "cannot tell".
//
// Both run in children of the test: this program is started again with a filter for this one test,
// and goes on to the same EXPECT_CRASH_CONSISTENT. So what stands before it in the test (fixtures,
// too) also runs in the children, and must lead there again; what stands behind it does not run
// there. Nothing of the workload's or the check's variables comes back into the test.
//
// By default one child judges many states, so that a check of microseconds is not paid with a
// process. What it rejects is always confirmed by a process of its own, so a finding never comes
// from what an earlier check left in memory; now and then so is what it accepts, and a
// contradiction fails the test with its reason. A check that cannot run twice in one process says
// so with `in_process = false`.
//
// Link everycrash::gtest (CMake package everycrash) and any main() of GoogleTest. Use from one
// thread, inside a test. Where the machine cannot do it (exit status 77) the test is skipped.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace everycrash {

/// How a crash test explores; all have the meaning of the option of `everycrash test` with their
/// name, and an empty value leaves its default.
struct CrashOptions {
  std::vector<std::string> crash;   ///< {"kill"}, {"kill", "power"}, ...
  std::vector<std::string> fs;      ///< persistence models for power
  std::string acknowledgement;      ///< --ack
  std::vector<std::string> oracle;  ///< built-in judges beside the check
  bool resume = false;
  std::string budget;       ///< "30s"
  uint64_t max_states = 0;  ///< 0 = no limit
  uint64_t seed = 1;
  std::string shard;              ///< "1/4"
  unsigned jobs = 0;              ///< 0 = one a processor
  bool in_process = true;         ///< one process checks many states
  std::function<void()> prepare;  ///< runs first, in the folder; what it leaves counts as safe
  std::vector<std::string> more;  ///< any other options, as on the command line
  std::filesystem::path program;  ///< everycrash; "" = $EVERYCRASH_PROGRAM, or the installed one
};

/// What a check can ask about the state that it judges.
class CrashState {
 public:
  /// The state directory, which is also the working directory.
  [[nodiscard]] std::filesystem::path directory() const;
  /// All that the workload had printed before the crash.
  [[nodiscard]] std::string printed() const;
  /// The effects that it had reported by then, a line each.
  [[nodiscard]] std::string effects() const;
};

/// What became of a crash test.
struct CrashOutcome {
  bool passed = false;
  bool skipped = false;   ///< this machine cannot do it
  std::string message;    ///< the report, or why there is none
  std::string reproduce;  ///< command that brings the first failing state back, "" if none failed
  std::filesystem::path directory;  ///< keeps report, result and trace; only if it did not pass
};

namespace internal {

/// A check without its return type: failures are recorded as those of a test.
using Check = std::function<void(const CrashState&)>;

/// Runs the test, or in a child its part of it, and does not come back then.
[[nodiscard]] CrashOutcome run_crash_test(const char* file, int line,
                                          const std::function<void()>& workload, const Check& check,
                                          const CrashOptions& options);

template <typename Function, typename... Arguments>
void expect_success(Function& function, const Arguments&... arguments) {
  if constexpr (std::is_void_v<std::invoke_result_t<Function&, const Arguments&...>>) {
    function(arguments...);
  } else {
    EXPECT_TRUE(function(arguments...)) << "the check returned false";
  }
}

/// The parameters of EXPECT_CRASH_CONSISTENT.
template <typename Workload, typename Function>
[[nodiscard]] CrashOutcome crash_test(const char* file, int line, Workload&& workload,
                                      Function&& function, const CrashOptions& options = {}) {
  return run_crash_test(
      file, line, [&workload] { workload(); },
      [&function](const CrashState& state) {
        if constexpr (std::is_invocable_v<Function&, const CrashState&>) {
          expect_success(function, state);
        } else {
          expect_success(function);
        }
      },
      options);
}

}  // namespace internal

/// A fixture whose evidence has a name: directory() holds a folder for each EXPECT_CRASH_CONSISTENT
/// of the test ("1", "2", ...) with its report, result document and trace. It is removed when the
/// test has passed and kept when it has failed, below $EVERYCRASH_TEST_OUTPUT or the folder for
/// temporary files.
class CrashTest : public testing::Test {
 public:
  CrashTest();
  ~CrashTest() override;
  /// Made at the first call. In the children: the state directory.
  [[nodiscard]] const std::filesystem::path& directory();

 private:
  std::filesystem::path directory_;
};

}  // namespace everycrash

/// EXPECT_CRASH_CONSISTENT(workload, check) or (workload, check, options): fails with the report of
/// everycrash if the check rejects any state. Properties everycrash_seed, everycrash_state and
/// everycrash_replay of the test, and the last lines that the test program prints, say how to bring
/// the first failing state back.
#define EXPECT_CRASH_CONSISTENT(...)                                             \
  switch (0)                                                                     \
  case 0:                                                                        \
  default:                                                                       \
    if (const ::everycrash::CrashOutcome everycrash_outcome =                    \
            ::everycrash::internal::crash_test(__FILE__, __LINE__, __VA_ARGS__); \
        everycrash_outcome.skipped)                                              \
      GTEST_SKIP() << everycrash_outcome.message;                                \
    else                                                                         \
      EXPECT_TRUE(everycrash_outcome.passed) << everycrash_outcome.message
