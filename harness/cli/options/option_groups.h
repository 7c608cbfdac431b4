// The groups of options that several commands share.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/options/option_adder.h"
#include "harness/cli/options/options.h"

namespace everycrash::cli {

/// Which everycrash.toml is read before the command line is.
void add_config(const OptionAdder& to, TestOptions& options);

void add_appearance(const OptionAdder& to, std::string& color);

/// `-q`; STILL_TOLD is what is printed all the same.
void add_quiet(const OptionAdder& to, bool& quiet, const std::string& still_told);

/// Runs without namespaces.
void add_plain(const OptionAdder& to, TestOptions& options);

void add_workload_options(const OptionAdder& to, TestOptions& options);

/// `-v`, where a report is printed; given twice it is no more.
void add_verbosity(const OptionAdder& to, TestOptions& options);

/// `-v` of commands that print no report: scripts may give it to all of them.
void add_idle_verbosity(const OptionAdder& to, TestOptions& options);

/// Faults that the recorded run itself meets.
void add_fault_options(const OptionAdder& to, TestOptions& options);

void add_effect_options(const OptionAdder& to, EffectOptions& effects);

void add_verdict_options(const OptionAdder& to, TestOptions& options);

void add_explore_options(const OptionAdder& to, TestOptions& options);

/// What is drawn from the result, and what of it fails the run.
void add_report_options(const OptionAdder& to, TestOptions& options);

/// --seed; OF_WHAT it is the seed.
AddedOption add_seed(const OptionAdder& to, uint64_t& seed, const std::string& of_what);

/// --schedules and --images; IN_ENVIRONMENT: variables stand for them, too.
void add_schedules(const OptionAdder& to, uint64_t& schedules, uint64_t& images,
                   bool in_environment);

/// How disks in memory are made.
void add_disk_settings(const OptionAdder& to, DiskSettings& settings);

void add_real_options(const OptionAdder& to, TestOptions& options);

/// A result document, or the folder that holds it, as the argument of a command.
AddedOption add_result(const OptionAdder& to, std::filesystem::path& result);
/// A recorded trace as the argument of a command.
AddedOption add_trace(const OptionAdder& to, std::filesystem::path& trace);

/// The words of crash kinds, and of the file systems that can be made.
[[nodiscard]] std::vector<OptionWord> crash_kind_words();
[[nodiscard]] std::vector<OptionWord> file_system_words();

/// What is said behind file_system_words() of mount options.
inline constexpr const char* kWithMountOptions = "with mount options as ext4:noauto_da_alloc";

}  // namespace everycrash::cli
