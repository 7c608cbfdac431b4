// The reference workloads that come with everycrash, as their scenario.toml files describe them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/error.h"

namespace everycrash::cli {

/// One more way to run a scenario under a crash kind, where starting it in an empty directory does
/// not show everything.
struct Trial {
  std::string crash;                 ///< the crash kind, as breaks name it
  std::vector<std::string> options;  ///< of `everycrash test`, if others than for that crash kind
  std::vector<std::string> init;     ///< prepares the state directory
  std::vector<std::string> more;     ///< added to workload and check
};

struct Scenario {
  std::string name;
  std::string summary;
  std::vector<std::string> workload;  ///< argument vector; the program's path is absolute
  std::vector<std::string> check;
  std::vector<std::string> breaks;  ///< command that lists the mistakes
  std::vector<std::string> quick;   ///< arguments for a small job
  /// The same for crash kinds that run the job anew at each of its points.
  std::vector<std::string> anew;
  std::string break_option;
  /// Crash kinds that no program survives: there even the reference must be found.
  std::vector<std::string> beyond;
  std::vector<Trial> trials;
};

/// A crash kind under which a mistake must be found.
struct Expectation {
  std::string crash;
  std::vector<std::string> models;  ///< the only ones that show it; empty = any
};
/// "power:posix+xfs", as scenarios list them, and back.
[[nodiscard]] std::string text_of(const Expectation& expectation);
[[nodiscard]] Expectation parse_expectation(std::string_view text);

/// A mistake that can be planted.
struct Break {
  std::string name;
  std::vector<Expectation> expected;
  std::string mistake;
  /// Words of which a finding has some if it says what is wrong; none = not known.
  std::vector<std::string> signs;

  /// What is expected under CRASH; null = it need not be found there.
  [[nodiscard]] const Expectation* expected_under(std::string_view crash) const;
};

/// All scenarios that are installed beside this program (or named by EVERYCRASH_SCENARIOS), by
/// name.
[[nodiscard]] Result<std::vector<Scenario>> find_scenarios();

/// One of them; kUsage with the nearest name if there is none.
[[nodiscard]] Result<Scenario> find_scenario(const std::string& name);

/// Asks the scenario for its mistakes.
[[nodiscard]] Result<std::vector<Break>> list_breaks(const Scenario& scenario);

/// Reads one scenario.toml (config.cc, where TOML is read).
[[nodiscard]] Result<Scenario> read_scenario(const std::filesystem::path& file);

}  // namespace everycrash::cli
