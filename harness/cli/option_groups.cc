#include "harness/cli/option_groups.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/base/crash_kind.h"

namespace everycrash::cli {

std::string environment_name(const std::string& option) {
  std::string name = "EVERYCRASH_" + option.substr(2);
  for (char& c : name)
    c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

CLI::Validator one_of(const std::vector<std::string>& words) {
  return {[words](const std::string& given) {
            return std::find(words.begin(), words.end(), given) != words.end()
                       ? ""
                       : fmt::format("'{}' is none of {}", given, fmt::join(words, ", "));
          },
          ""};
}

CLI::Option* of_number(CLI::Option* option, const std::string& value) {
  const auto refuse = [](const std::string& given) {
    const bool digits =
        !given.empty() && given.find_first_not_of("0123456789") == std::string::npos;
    return digits ? "" : fmt::format("'{}' is no whole number from 0 on", given);
  };
  return option->type_name(value)->check(refuse, "");
}

std::string value_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

CLI::Option* add_list(CLI::App* app, const std::string& name, std::vector<std::string>& value,
                      const std::string& help) {
  return add(app, name, value, help)->delimiter(',')->allow_extra_args(false);
}

void add_appearance(CLI::App* app, std::string& color) {
  add(app, "--color", color, "always, never or auto")
      ->type_name("WHEN")
      ->check(one_of({"always", "never", "auto"}));
}

void add_config(CLI::App* app, TestOptions& options) {
  app->add_option("--config", options.config,
                  "FILE to take for the project's everycrash.toml; none: take no such file")
      ->type_name("FILE")
      ->check(
          [](const std::string& file) {
            return file.empty() || file.front() == '-' ? "name a file, or none" : "";
          },
          "");
}

void add_workload_options(CLI::App* app, TestOptions& options) {
  auto* group = app->add_option_group("Workload");
  // Not from the environment: EVERYCRASH_DIR tells a checker where it is, not a run where to go.
  group->add_option("--dir", options.directory, "state directory (default: a fresh one in memory)")
      ->type_name("FOLDER");
  add(group, "--init", options.init, "command that fills the state directory first")
      ->type_name("COMMAND");
  add(group, "--timeout", options.timeout, "time limit of one run of the workload (default: 60s)")
      ->type_name("TIME");
  of_number(
      add(group, "--trace-size", options.trace_size_mb, "largest trace, in MiB (default: 4096)"),
      "MIB");
  group->add_flag("--no-namespaces", options.plain,
                  "run without namespaces even where they are allowed");
  add_config(app, options);
  add_appearance(app, options.color);
  app->add_flag("-q,--quiet", options.quiet, "only findings and the verdict");
}

void add_verbosity(CLI::App* app, TestOptions& options) {
  app->add_flag("-v,--verbose", options.verbose,
                "the report in full: every finding, call site, stack, and line of a checker");
}

void add_idle_verbosity(CLI::App* app, TestOptions& options) {
  app->add_flag("-v,--verbose", options.verbose, "accepted; there is no report here to say more");
}

void add_fault_options(CLI::App* app, TestOptions& options) {
  add_list(app, "--lose-fsync", options.lose_fsync,
           "GLOBs: in the run, syncs of these files succeed without being done ('*': sync, too)")
      ->type_name("GLOB");
  // No commas between faults: one is taken as it stands.
  app->add_option("--fault", options.faults,
                  "FAULT that the run meets, as 'write(*.json) ENOSPC when=3'; may be given again")
      ->type_name("FAULT")
      ->allow_extra_args(false)
      ->take_all();
}

void add_effect_options(CLI::App* app, EffectOptions& effects) {
  auto* group = app->add_option_group("Effects");
  add_list(group, "--effect-command", effects.commands,
           "GLOBs of programs: each that the workload runs, and that succeeds, is an effect")
      ->type_name("GLOB");
  add_list(group, "--effect-dir", effects.folders,
           "GLOBs of folders in the state directory: each file that appears there is an effect")
      ->type_name("GLOB");
  add_list(group, "--effect-peer", effects.peers,
           "GLOBs of addresses: each message sent there is an effect, even if it is not HTTP")
      ->type_name("GLOB");
  // Not from the environment: EVERYCRASH_SINK tells a workload where it is.
  group
      ->add_option("--sink", effects.sink,
                   "receive HTTP at 127.0.0.1:PORT for the workload: "
                   "PORT[,no-dedup][,delay=200ms][,fail=N][,drop=N]")
      ->type_name("PORT");
  auto* least = group->add_flag("--at-least-once", effects.at_least_once,
                                "effects may happen twice, but must not be lost");
  group
      ->add_flag("--at-most-once", effects.at_most_once,
                 "effects may be lost, but must not happen twice")
      ->excludes(least);
}

void add_verdict_options(CLI::App* app, TestOptions& options) {
  auto* group = app->add_option_group("Verdict");
  add(group, "--check", options.check,
      "command that judges a crash state: exit 0 = consistent, 77 = cannot tell")
      ->type_name("COMMAND");
  group->add_flag("--check-server", options.check_server,
                  "--check can judge many states in one process (see everycrash/gtest.h)");
  add(group, "--recover", options.recover,
      "command that recovers a crash state before it is judged")
      ->type_name("COMMAND");
  group->add_flag("--resume", options.resume,
                  "the workload must be able to run again on a crash state");
  add_list(group, "--oracle", options.oracles,
           "built-in judges: acknowledged, half-file, resume, no-leftovers, exactly-once, "
           "recovery-twice")
      ->type_name("NAME,...");
  add(group, "--ack", options.acknowledgement,
      "what counts as a promise: stdout, exit, none, or a REGEX for lines")
      ->type_name("WHAT");
  add_list(group, "--ignore", options.ignore, "globs of files in which equal runs may differ")
      ->type_name("GLOB");
  add(group, "--check-timeout", options.check_timeout,
      "time limit of checker, recovery and resumed run (default: 10s)")
      ->type_name("TIME");
  add_effect_options(app, options.effects);
}

void add_explore_options(CLI::App* app, TestOptions& options) {
  auto* group = app->add_option_group("Exploration");
  add_list(group, "--crash", options.crash,
           fmt::format("{}", fmt::join(selectable_crash_kinds(), ", ")))
      ->type_name("KIND,...");
  group->add_flag("--concurrent", options.concurrent,
                  "also run a second instance while the first stands still at each crash point");
  of_number(add(group, "--preemptions", options.preemptions,
                "for --concurrent: how often one of the two is stopped in favour of the other "
                "(default: 2)"))
      ->check(one_of({"1", "2"}));
  add_list(group, "--fs", options.models,
           "persistence models for power: posix, ext4, ext4-noauto_da_alloc, ext4-nodelalloc, "
           "ext4-writeback, xfs, btrfs")
      ->type_name("MODEL,...");
  add(group, "--lost-fsync", options.lost_fsync,
      "which syncs a lying disk loses: all, one (each in turn), or those of this file")
      ->type_name("WHICH");
  add(group, "--budget", options.budget, "stop exploring after this time")->type_name("TIME");
  of_number(group->add_option(
                "--max-states", options.states_max,
                "check at most so many states of each crash kind and model (0 = no limit; default: "
                "no limit for kill, 10000 for power unless --budget is given)"))
      ->envname(environment_name("--max-states"))
      ->default_str("");
  of_number(add(group, "--seed", options.seed, "seed of random states (default: 1)"));
  of_number(add(group, "--depth", options.depth,
                "lost or kept units in a bounded exploration (default: 1)"));
  of_number(add(
      group, "--again-depth", options.again_depth,
      "for --crash again: crashes of recovery in a row (default: 1; 0 = until no new state comes "
      "up)"));
  of_number(
      add(group, "--tear", options.tear, "bytes that reach the disk in one piece: 4096 or 512"),
      "BYTES")
      ->check(one_of({"4096", "512"}));
  add(group, "--shard", options.shard, "I/N: only this part of the states")->type_name("I/N");
  of_number(add(group, "--jobs", options.jobs, "parallel workers (0 = one a processor)"));
  group->add_flag("--all-points", options.all_points,
                  "check equal states again at each crash point");
  group->add_flag("--strict", options.strict, "what could not be judged is a failure");
  group->add_flag("--require-complete", options.require_complete,
                  "exit 5 unless everything was covered");
  group->add_flag("--fail-fast", options.fail_fast,
                  "end at the first finding; the rest counts as not looked at");
  add(group, "--expect", options.expect, "finding: exit 0 exactly if there is one")
      ->type_name("WHAT")
      ->check(one_of({"finding"}));
}

void add_report_options(CLI::App* app, TestOptions& options) {
  auto* group = app->add_option_group("Reports");
  add(group, "--json", options.json, "write the result document to this file")->type_name("FILE");
  add(group, "--report", options.report, "folder that gets report.html, for people")
      ->type_name("FOLDER");
  add(group, "--output", options.output,
      "folder that keeps a run with findings (default: .everycrash)")
      ->type_name("FOLDER");
  add(group, "--junit", options.junit, "write JUnit XML to this file")->type_name("FILE");
  add(group, "--sarif", options.sarif, "write SARIF 2.1.0 to this file")->type_name("FILE");
  add(group, "--markdown", options.markdown, "write Markdown to this file")->type_name("FILE");
  add(group, "--baseline", options.baseline, "findings listed in this file do not fail the run")
      ->type_name("FILE");
  add_list(group, "--fail-on", options.fail_on,
           "crash kinds and models that fail the run, such as kill,power:ext4 (default: all)")
      ->type_name("KIND,...");
}

void add_disk_settings(CLI::App* app, DiskSettings& settings) {
  of_number(add(app, "--disk-size", settings.size_mb, "MiB of the disk in memory (default: 320)"),
            "MIB")
      ->check(CLI::Range(kDiskSizeLeastMb, kDiskSizeMostMb));
  add(app, "--mkfs", settings.mkfs_arguments, "further arguments for mkfs")->type_name("ARGUMENTS");
}
void add_real_options(CLI::App* app, TestOptions& options) {
  auto* group = app->add_option_group("Real file systems (root)");
  add_list(group, "--on", options.on,
           "power failures on real ext4, xfs, btrfs; with mount options: ext4:noauto_da_alloc")
      ->type_name("FS,...");
  of_number(add(group, "--schedules", options.schedules,
                "ways in which the kernel writes back (default: 6)"));
  of_number(add(group, "--images", options.images,
                "disk contents mounted for each of them (default: 60)"));
  group->add_flag("--on-disk", options.on_disk,
                  "run recovery and checker in place, on the mounted file system");
  group->add_option("--keep", options.keep, "folder that gets a disk image of each finding seen")
      ->type_name("FOLDER");
  add_disk_settings(group, options.disk);
}

}  // namespace everycrash::cli
