#include "harness/cli/options/command_options.h"

#include "harness/cli/options/option_groups.h"
#include "reports/formats.h"

namespace everycrash::cli {
namespace {

std::vector<OptionWord> format_words() {
  std::vector<OptionWord> words;
  for (const reports::Format& format : reports::formats())
    words.push_back({std::string(format.name)});
  return words;
}

void add_merge(const OptionAdder& to, MergeOptions& options) {
  const OptionAdder merge =
      to.command("merge", "join the results of all shards into what one run would have written");
  merge.add("RESULT", options.results, "result documents of 'explore TRACE --shard I/N'")
      .takes_file("RESULT")
      .is_required();
  add_report_options(merge, options.common);
  add_config(merge, options.common);
  add_plain(merge, options.common);
  add_appearance(merge, options.common.color);
  add_quiet(merge, options.common.quiet, "findings and the verdict");
  add_verbosity(merge, options.common);
}

void add_report(const OptionAdder& to, ReportOptions& options) {
  const OptionAdder report = to.command("report", "draw the HTML report of a result document");
  add_result(report, options.result);
  report.add("-o,--output", options.folder, "folder that gets report.html")
      .takes_folder()
      .with_default("where the result is");
}

void add_scenario(const OptionAdder& to, ScenarioOptions& options) {
  const OptionAdder scenario =
      to.command("scenario", "the reference workloads that come with everycrash");
  scenario.needs_command();
  scenario.command("list", "names, and the mistakes that can be planted").when_chosen([&options] {
    options.list = true;
  });
  const OptionAdder run = scenario.command("run", "test one");
  run.add("NAME", options.name, "as 'scenario list' prints it");
  run.add("--break", options.break_name, "plant this mistake").takes("MISTAKE");
  run.flag("--all", options.all, "every mistake of the chosen crash kinds, and the reference");
  run.flag("--matrix", options.matrix,
           "with --all: a table of every mistake under every crash kind, of all scenarios");
  run.add("--columns", options.columns, "crash kinds of the matrix")
      .takes_list("KIND,...")
      .knows(crash_kind_words())
      .with_default("all");
  run.flag("--quick", options.quick,
           "a small job; the matrix looks only where something is expected");
  add_workload_options(run, options.common);
  add_verbosity(run, options.common);
  add_explore_options(run, options.common);
  add_report_options(run, options.common);
}

/// Commands about results and about everycrash itself.
void add_helpers(const OptionAdder& to, Invocation& invocation) {
  const OptionAdder exporting = to.command("export", "draw a result document in another format");
  add_result(exporting, invocation.exporting.result);
  exporting.add("--format", invocation.exporting.format, "")
      .takes("FORMAT")
      .only_knows(format_words())
      .with_default();
  exporting.add("--to", invocation.exporting.output, "file to write")
      .takes_file()
      .with_default("standard output");

  const OptionAdder baseline = to.command("baseline", "accept the findings that are known");
  baseline.needs_command();
  const OptionAdder update =
      baseline.command("update", "write the findings of results into the file");
  update.add("RESULT", invocation.baseline.results, "as --json wrote it")
      .takes_file("RESULT")
      .is_required();
  update.add("--baseline", invocation.baseline.baseline, "the file")
      .takes_file()
      .with_default()
      .in_environment();

  const OptionAdder init = to.command("init", "write an everycrash.toml for the project at hand");
  init.add("DIRECTORY", invocation.init.directory, "the project")
      .takes_folder()
      .with_default("here");
  init.flag("--force", invocation.init.force, "replace one that is there");

  static_cast<void>(to.command("man", "print the manual page: everycrash man | man -l -"));
  to.command("completion", "print what a shell needs to complete words")
      .add("SHELL", invocation.shell, "")
      .only_knows({{"bash"}, {"zsh"}, {"fish"}})
      .is_required();
}

void add_validate(const OptionAdder& to, ValidateOptions& options) {
  const OptionAdder validate = to.command(
      "validate", "hold the persistence models against this machine's file systems (root)");
  validate.add("--fs", options.file_systems, "")
      .takes_list("FS,...")
      .knows(file_system_words(), kWithMountOptions)
      .with_default();
  add_disk_settings(validate, options.disk);
  validate.add("--script", options.script, "only this workload, as a report prints it")
      .takes("TEXT");
  validate.add("--random", options.random, "random workloads on each file system")
      .takes_number()
      .with_default();
  validate.add("--first", options.first, "number of the first random workload").takes_number();
  validate.flag("!--no-litmus", options.litmus, "leave the litmus workloads out");
  add_schedules(validate, options.schedules, options.images, false);
  add_seed(validate, options.seed, "everything random").with_default();
  validate.add("--jobs", options.jobs, "disks side by side")
      .takes_number()
      .with_zero("two a processor");
  validate.add("--report", options.report, "write the table to this file, as markdown")
      .takes_file();
  add_appearance(validate, options.color);
  add_quiet(validate, options.quiet, "disagreements and the table");
}

void add_disk(const OptionAdder& to, DiskShellOptions& options) {
  const OptionAdder disk =
      to.command("disk", "crash states of a trace on a real file system (root)");
  disk.needs_command();
  const auto common = [&options](const OptionAdder& command) {
    add_trace(command, options.trace);
    command.add("--fs", options.file_system, "")
        .takes("FS")
        .knows(file_system_words(), kWithMountOptions)
        .with_default();
    command.add("--schedule", options.schedule, "number of the schedule").takes_number();
    add_seed(command, options.seed, "schedules and losses").with_default();
    command.flag("--lost-fsync", options.lost_flushes, "the disk lies about flushes");
    add_disk_settings(command, options.disk);
  };
  const OptionAdder list = disk.command("list", "the states of one schedule and what is in them");
  common(list);
  list.when_chosen([&options] { options.list = true; });
  const OptionAdder shell = disk.command("shell", "mount one state and look at it");
  common(shell);
  shell.add("--state", options.state, "number of the state, as 'disk list' prints it")
      .takes_number();
  shell.add("--image", options.image, "a kept image, instead of a trace and a state").takes_file();
}

void add_sink(const OptionAdder& to, SinkCommandOptions& options) {
  const OptionAdder sink = to.command(
      "sink", "a receiver for tests: answers HTTP on loopback, prints each effect once it is done");
  sink.add("BEHAVIOUR", options.behaviour,
           "PORT[,no-dedup][,delay=200ms][,fail=N][,drop=N]; port 0 is any that is free");
  sink.add("--log", options.log, "file that gets each effect; what it holds already is known")
      .takes_file();
}

void add_chaos(const OptionAdder& to, ChaosOptions& options) {
  const OptionAdder chaos = to.command(
      "chaos", "run a workload under random faults, again and again, and count what becomes of it");
  add_workload_options(chaos, options.common);
  add_idle_verbosity(chaos, options.common);
  add_verdict_options(chaos, options.common);
  add_report_options(chaos, options.common);
  chaos.add("--for", options.duration, "how long").takes("TIME").with_default().in_environment();
  chaos.add("--rounds", options.rounds, "so many rounds instead").takes_number().in_environment();
  chaos.add("--round", options.round, "only this round, as an earlier run named it").takes_number();
  add_seed(chaos, options.common.seed, "the faults that are drawn").with_default().in_environment();
  chaos.add("--metrics", options.metrics, "file that gets the counts, for Prometheus").takes_file();
}

void add_replay(const OptionAdder& to, ReplayOptions& options) {
  const OptionAdder replay =
      to.command("replay", "build the state of a finding again and judge it");
  add_result(replay, options.result);
  replay.add("FINDING", options.finding, "its id, or the beginning of it");
  replay.add("--keep", options.keep, "folder that gets the state").takes_folder();
  replay.flag("--shell", options.shell, "open a shell in the state");
  replay.flag("--gdb", options.gdb, "run the checker, or the workload, in gdb");
  add_appearance(replay, options.color);
}

void add_doctor(const OptionAdder& to, bool& clean) {
  to.command("doctor", "what this machine allows, and what to do about what it does not")
      .flag("--clean", clean,
            "remove what runs that were killed have left behind, by their own records");
}

/// What a run is explored by; `test` and `explore` have all of it.
void add_exploring(const OptionAdder& command, TestOptions& options) {
  add_workload_options(command, options);
  add_verbosity(command, options);
  add_verdict_options(command, options);
  add_explore_options(command, options);
  add_report_options(command, options);
  add_real_options(command, options);
}

void add_record(const OptionAdder& to, RecordOptions& options) {
  const OptionAdder record = to.command("record", "only record a workload; exits with its status");
  add_workload_options(record, options.common);
  add_idle_verbosity(record, options.common);
  add_fault_options(record, options.common);
  add_effect_options(record, options.common.effects);
  record.add("--trace", options.trace, "file to write").takes_file().is_required();
}

void add_inject(const OptionAdder& to, InjectOptions& options) {
  const OptionAdder inject = to.command(
      "inject",
      "run a workload with faults for real: killed, with calls that fail, syncs that do nothing");
  add_workload_options(inject, options.common);
  add_idle_verbosity(inject, options.common);
  add_verdict_options(inject, options.common);
  inject.add("--kill-at", options.kill_at, "crash point, such as 'rename(state.json)#2'")
      .takes("POINT")
      .in_environment();
  add_fault_options(inject, options.common);
  add_seed(inject, options.common.seed, "chance= and delays").with_default().in_environment();
  inject.add("--keep", options.keep, "folder that gets what was left").takes_folder();
}

}  // namespace

void add_commands(const OptionAdder& to, Invocation& invocation) {
  const OptionAdder test =
      to.command("test", "record a workload, crash it everywhere, judge what is left");
  add_exploring(test, invocation.test);
  add_fault_options(test, invocation.test);
  test.flag("--live", invocation.test.live,
            "kill the real program at every crash point instead of rebuilding states");

  add_record(to, invocation.record);

  const OptionAdder explore = to.command("explore", "judge the crash states of a recorded trace");
  add_trace(explore, invocation.explore.trace).is_required();
  add_exploring(explore, invocation.explore.common);

  add_inject(to, invocation.inject);
  add_chaos(to, invocation.chaos);
  add_replay(to, invocation.replay);
  add_report(to, invocation.report);
  add_merge(to, invocation.merge);
  add_validate(to, invocation.validate);
  add_disk(to, invocation.disk);
  add_scenario(to, invocation.scenario);
  add_sink(to, invocation.sink);
  add_doctor(to, invocation.clean);
  add_helpers(to, invocation);
}

}  // namespace everycrash::cli
