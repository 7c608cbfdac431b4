// The groups of options that several commands share. CLI11 is known to this, command_options and
// options.cc alone.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "harness/cli/options.h"

namespace everycrash::cli {

/// The variable of the environment that an option can be given by: "--max-states" is
/// EVERYCRASH_MAX_STATES.
[[nodiscard]] std::string environment_name(const std::string& option);

/// An option that the environment may give, too.
template <typename T>
CLI::Option* add(CLI::App* app, const std::string& name, T& value, const std::string& help) {
  return app->add_option(name, value, help)->envname(environment_name(name));
}

/// Refuses what is none of WORDS.
[[nodiscard]] CLI::Validator one_of(const std::vector<std::string>& words);

/// OPTION takes a whole number, which help calls VALUE. Refuses what is not made of digits; a
/// negative number would else become a large one. Returns OPTION.
CLI::Option* of_number(CLI::Option* option, const std::string& value = "N");

/// "TIME" for an option that takes one.
[[nodiscard]] std::string value_of(const CLI::Option& option);

/// Lists are given with commas, or by naming the option again.
CLI::Option* add_list(CLI::App* app, const std::string& name, std::vector<std::string>& value,
                      const std::string& help);

/// Which everycrash.toml is read before the command line is.
void add_config(CLI::App* app, TestOptions& options);

void add_appearance(CLI::App* app, std::string& color);

void add_workload_options(CLI::App* app, TestOptions& options);

/// `-v`, where a report is printed; given twice it is no more.
void add_verbosity(CLI::App* app, TestOptions& options);

/// `-v` of commands that print no report: scripts may give it to all of them.
void add_idle_verbosity(CLI::App* app, TestOptions& options);

/// Faults that the recorded run itself meets.
void add_fault_options(CLI::App* app, TestOptions& options);

void add_effect_options(CLI::App* app, EffectOptions& effects);

void add_verdict_options(CLI::App* app, TestOptions& options);

void add_explore_options(CLI::App* app, TestOptions& options);

/// What is drawn from the result, and what of it fails the run.
void add_report_options(CLI::App* app, TestOptions& options);

void add_disk_settings(CLI::App* app, DiskSettings& settings);

void add_real_options(CLI::App* app, TestOptions& options);

}  // namespace everycrash::cli
