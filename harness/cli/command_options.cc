#include "harness/cli/command_options.h"

#include "harness/cli/option_groups.h"

namespace everycrash::cli {
namespace {

void add_merge(CLI::App& app, MergeOptions& options) {
  auto* merge = app.add_subcommand(
      "merge", "join the results of all shards into what one run would have written");
  merge->add_option("RESULT", options.results, "result documents of 'explore TRACE --shard I/N'")
      ->required();
  add_report_options(merge, options.common);
  add_config(merge, options.common);
  merge->add_flag("--no-namespaces", options.common.plain,
                  "run without namespaces even where they are allowed");
  add_appearance(merge, options.common.color);
  merge->add_flag("-q,--quiet", options.common.quiet, "only findings and the verdict");
  add_verbosity(merge, options.common);
}

void add_report(CLI::App& app, ReportOptions& options) {
  auto* report = app.add_subcommand("report", "draw the HTML report of a result document");
  report->add_option("RESULT", options.result, "a result document, or the folder that holds it")
      ->required();
  report
      ->add_option("-o,--output", options.folder,
                   "folder that gets report.html (default: where the result is)")
      ->type_name("FOLDER");
}

void add_scenario(CLI::App& app, ScenarioOptions& options) {
  auto* scenario =
      app.add_subcommand("scenario", "the reference workloads that come with everycrash");
  scenario->require_subcommand(1);
  auto* list = scenario->add_subcommand("list", "names, and the mistakes that can be planted");
  list->callback([&options] { options.list = true; });
  auto* run = scenario->add_subcommand("run", "test one");
  run->add_option("NAME", options.name, "as 'scenario list' prints it");
  run->add_option("--break", options.break_name, "plant this mistake")->type_name("MISTAKE");
  run->add_flag("--all", options.all, "every mistake of the chosen crash kinds, and the reference");
  run->add_flag("--matrix", options.matrix,
                "with --all: a table of every mistake under every crash kind, of all scenarios");
  run->add_option(
         "--columns", options.columns,
         "crash kinds of the matrix: kill, power, lost-fsync, io-error, again, concurrent, "
         "clock (default: all)")
      ->type_name("KIND,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  run->add_flag("--quick", options.quick,
                "a small job; the matrix looks only where something is expected");
  add_workload_options(run, options.common);
  add_verbosity(run, options.common);
  add_explore_options(run, options.common);
  add_report_options(run, options.common);
}

/// Commands about results and about everycrash itself.
void add_helpers(CLI::App& app, Invocation& invocation) {
  auto* exporting = app.add_subcommand("export", "draw a result document in another format");
  exporting->add_option("RESULT", invocation.exporting.result, "as --json wrote it")->required();
  exporting
      ->add_option("--format", invocation.exporting.format,
                   "text, junit, sarif, markdown, github, github-summary or properties")
      ->type_name("FORMAT")
      ->check(
          one_of({"text", "junit", "sarif", "markdown", "github", "github-summary", "properties"}));
  exporting
      ->add_option("--to", invocation.exporting.output, "file to write (default: standard output)")
      ->type_name("FILE");

  auto* baseline = app.add_subcommand("baseline", "accept the findings that are known");
  baseline->require_subcommand(1);
  auto* update = baseline->add_subcommand("update", "write the findings of results into the file");
  update->add_option("RESULT", invocation.baseline.results, "as --json wrote it")->required();
  add(update, "--baseline", invocation.baseline.baseline,
      "the file (default: everycrash-baseline.txt)")
      ->type_name("FILE");

  auto* init = app.add_subcommand("init", "write an everycrash.toml for the project at hand");
  init->add_option("DIRECTORY", invocation.init.directory, "the project (default: here)");
  init->add_flag("--force", invocation.init.force, "replace one that is there");

  app.add_subcommand("man", "print the manual page: everycrash man | man -l -");
  auto* completion = app.add_subcommand("completion", "print what a shell needs to complete words");
  completion->add_option("SHELL", invocation.shell, "bash, zsh or fish")
      ->required()
      ->check(one_of({"bash", "zsh", "fish"}));
}

void add_validate(CLI::App& app, ValidateOptions& options) {
  auto* validate = app.add_subcommand(
      "validate", "hold the persistence models against this machine's file systems (root)");
  validate
      ->add_option("--fs", options.file_systems, "ext4, xfs, btrfs; mount options: ext4:nodelalloc")
      ->type_name("FS,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_disk_settings(validate, options.disk);
  validate->add_option("--script", options.script, "only this workload, as a report prints it")
      ->type_name("TEXT");
  of_number(
      validate->add_option("--random", options.random, "random workloads on each file system"));
  of_number(validate->add_option("--first", options.first, "number of the first random workload"));
  validate->add_flag("!--no-litmus", options.litmus, "leave the litmus workloads out");
  of_number(validate->add_option("--schedules", options.schedules,
                                 "ways in which the kernel writes back (default: 3)"));
  of_number(validate->add_option("--images", options.images,
                                 "disk contents mounted for each of them (default: 24)"));
  of_number(validate->add_option("--seed", options.seed, "seed of everything random"));
  of_number(
      validate->add_option("--jobs", options.jobs, "disks side by side (0 = two a processor)"));
  validate->add_option("--report", options.report, "write the table to this file, as markdown")
      ->type_name("FILE");
  add_appearance(validate, options.color);
  validate->add_flag("-q,--quiet", options.quiet, "only disagreements and the table");
}

void add_disk(CLI::App& app, DiskShellOptions& options) {
  auto* disk = app.add_subcommand("disk", "crash states of a trace on a real file system (root)");
  disk->require_subcommand(1);
  const auto common = [&options](CLI::App* command) {
    command->add_option("TRACE", options.trace, "a trace, as 'record' writes it");
    command->add_option("--fs", options.file_system, "ext4, xfs, btrfs; options: ext4:nodelalloc")
        ->type_name("FS");
    of_number(command->add_option("--schedule", options.schedule, "number of the schedule"));
    of_number(command->add_option("--seed", options.seed, "seed of schedules and losses"));
    command->add_flag("--lost-fsync", options.lost_flushes, "the disk lies about flushes");
    add_disk_settings(command, options.disk);
  };
  auto* list = disk->add_subcommand("list", "the states of one schedule and what is in them");
  common(list);
  list->callback([&options] { options.list = true; });
  auto* shell = disk->add_subcommand("shell", "mount one state and look at it");
  common(shell);
  of_number(
      shell->add_option("--state", options.state, "number of the state, as 'disk list' prints it"));
  shell->add_option("--image", options.image, "a kept image, instead of a trace and a state")
      ->type_name("FILE");
}

void add_sink(CLI::App& app, SinkCommandOptions& options) {
  auto* sink = app.add_subcommand(
      "sink", "a receiver for tests: answers HTTP on loopback, prints each effect once it is done");
  sink->add_option("BEHAVIOUR", options.behaviour,
                   "PORT[,no-dedup][,delay=200ms][,fail=N][,drop=N]; port 0 is any that is free");
  sink->add_option("--log", options.log,
                   "file that gets each effect; what it holds already is known")
      ->type_name("FILE");
}

void add_chaos(CLI::App& app, ChaosOptions& options) {
  auto* chaos = app.add_subcommand(
      "chaos", "run a workload under random faults, again and again, and count what becomes of it");
  add_workload_options(chaos, options.common);
  add_idle_verbosity(chaos, options.common);
  add_verdict_options(chaos, options.common);
  add_report_options(chaos, options.common);
  add(chaos, "--for", options.duration, "how long (default: 60s)")->type_name("TIME");
  of_number(add(chaos, "--rounds", options.rounds, "so many rounds instead"));
  of_number(
      chaos->add_option("--round", options.round, "only this round, as an earlier run named it"));
  of_number(add(chaos, "--seed", options.common.seed, "what the faults are drawn from"));
  chaos->add_option("--metrics", options.metrics, "file that gets the counts, for Prometheus")
      ->type_name("FILE");
}

void add_replay(CLI::App& app, ReplayOptions& options) {
  auto* replay = app.add_subcommand("replay", "build the state of a finding again and judge it");
  replay->add_option("RESULT", options.result, "a result document, or the folder that holds it")
      ->required();
  replay->add_option("FINDING", options.finding, "its id, or the beginning of it");
  replay->add_option("--keep", options.keep, "folder that gets the state")->type_name("FOLDER");
  replay->add_flag("--shell", options.shell, "open a shell in the state");
  replay->add_flag("--gdb", options.gdb, "run the checker, or the workload, in gdb");
  add_appearance(replay, options.color);
}

void add_doctor(CLI::App& app, bool& clean) {
  auto* doctor = app.add_subcommand(
      "doctor", "what this machine allows, and what to do about what it does not");
  doctor->add_flag("--clean", clean,
                   "remove what runs that were killed have left behind, by their own records");
}

}  // namespace

void add_commands(CLI::App& app, Invocation& invocation) {
  auto* test =
      app.add_subcommand("test", "record a workload, crash it everywhere, judge what is left");
  add_workload_options(test, invocation.test);
  add_verbosity(test, invocation.test);
  add_verdict_options(test, invocation.test);
  add_explore_options(test, invocation.test);
  add_report_options(test, invocation.test);
  add_real_options(test, invocation.test);
  add_fault_options(test, invocation.test);
  test->add_flag("--live", invocation.test.live,
                 "kill the real program at every crash point instead of rebuilding states");

  auto* record = app.add_subcommand("record", "only record a workload; exits with its status");
  add_workload_options(record, invocation.record.common);
  add_idle_verbosity(record, invocation.record.common);
  add_fault_options(record, invocation.record.common);
  add_effect_options(record, invocation.record.common.effects);
  record->add_option("--trace", invocation.record.trace, "file to write")
      ->type_name("FILE")
      ->required();

  auto* explore = app.add_subcommand("explore", "judge the crash states of a recorded trace");
  explore->add_option("TRACE", invocation.explore.trace, "a trace, as 'record' writes it")
      ->required();
  add_workload_options(explore, invocation.explore.common);
  add_verbosity(explore, invocation.explore.common);
  add_verdict_options(explore, invocation.explore.common);
  add_explore_options(explore, invocation.explore.common);
  add_report_options(explore, invocation.explore.common);
  add_real_options(explore, invocation.explore.common);

  auto* inject = app.add_subcommand(
      "inject",
      "run a workload with faults for real: killed, with calls that fail, syncs that do nothing");
  add_workload_options(inject, invocation.inject.common);
  add_idle_verbosity(inject, invocation.inject.common);
  add_verdict_options(inject, invocation.inject.common);
  add(inject, "--kill-at", invocation.inject.kill_at, "crash point, such as 'rename(state.json)#2'")
      ->type_name("POINT");
  add_fault_options(inject, invocation.inject.common);
  of_number(add(inject, "--seed", invocation.inject.common.seed,
                "what chance= and delays are drawn from"));
  inject->add_option("--keep", invocation.inject.keep, "folder that gets what was left")
      ->type_name("FOLDER");

  add_chaos(app, invocation.chaos);

  add_replay(app, invocation.replay);
  add_report(app, invocation.report);
  add_merge(app, invocation.merge);
  add_validate(app, invocation.validate);
  add_disk(app, invocation.disk);

  add_scenario(app, invocation.scenario);

  add_sink(app, invocation.sink);
  add_doctor(app, invocation.clean);
  add_helpers(app, invocation);
}

}  // namespace everycrash::cli
