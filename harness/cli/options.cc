// CLI11 throws; here its errors become values.
#include "harness/cli/options.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

#include "harness/cli/command_table.h"
#include "harness/cli/config.h"
#include "harness/cli/nearest.h"
#include "harness/cli/option_groups.h"
#include "harness/disk/disk_file_system.h"

namespace everycrash::cli {
namespace {

/// Options of one subcommand as CLI11 knows them, for suggestions.
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  for (const CLI::App* group :
       app.get_subcommands([](const CLI::App* sub) { return sub->get_name().empty(); })) {
    for (std::string& name : option_names(*group)) names.push_back(std::move(name));
  }
  return names;
}

OptionRow row_of(const CLI::Option& option) {
  OptionRow row;
  for (const std::string& name : option.get_snames()) row.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) row.names.push_back("--" + name);
  row.help = option.get_description();
  row.takes_value = option.get_items_expected_max() > 0;
  row.positional = row.names.empty();
  if (row.positional) row.names.push_back(option.get_name());
  row.required = option.get_required();
  row.environment = option.get_envname();
  return row;
}

void add_rows(const CLI::App& app, const std::string& group, CommandRow& row) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_lnames() == std::vector<std::string>{"help"}) continue;
    row.options.push_back(row_of(*option));
    row.options.back().group = group;
  }
  for (const CLI::App* part :
       app.get_subcommands([](const CLI::App* sub) { return sub->get_name().empty(); })) {
    add_rows(*part, part->get_group(), row);
  }
}

/// All commands, as data for help, manual and completions. Commands of a command ("scenario run")
/// come behind it, by both words.
std::vector<CommandRow> table_of(const CLI::App& app, const std::string& before = "") {
  std::vector<CommandRow> table;
  for (const CLI::App* command :
       app.get_subcommands([](const CLI::App* sub) { return !sub->get_name().empty(); })) {
    CommandRow row{before + command->get_name(), command->get_description(), {}};
    add_rows(*command, "", row);
    table.push_back(std::move(row));
    for (CommandRow& inner : table_of(*command, before + command->get_name() + " "))
      table.push_back(std::move(inner));
  }
  return table;
}

/// "test", "scenario run": what was chosen, as table_of() names it.
std::string command_words(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  if (chosen.empty()) return "";
  const std::string inner = command_words(*chosen.front());
  return chosen.front()->get_name() + (inner.empty() ? "" : " " + inner);
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command :
       app.get_subcommands([](const CLI::App* sub) { return !sub->get_name().empty(); })) {
    names.push_back(command->get_name());
  }
  return names;
}

/// The commands that were chosen, the outermost first: "scenario", "run".
std::vector<const CLI::App*> chosen_commands(const CLI::App& app) {
  std::vector<const CLI::App*> chosen;
  const CLI::App* at = &app;
  while (at != nullptr) {
    const auto inner = at->get_subcommands();
    const auto named = std::find_if(inner.begin(), inner.end(),
                                    [](const CLI::App* sub) { return !sub->get_name().empty(); });
    at = named == inner.end() ? nullptr : *named;
    if (at != nullptr) chosen.push_back(at);
  }
  return chosen;
}

tl::unexpected<Error> usage_error(const CLI::App& app, const CLI::ParseError& error,
                                  const std::vector<std::string>& arguments) {
  const std::vector<const CLI::App*> chosen = chosen_commands(app);
  std::string command;
  for (const CLI::App* each : chosen) command += " " + each->get_name();
  std::string message = error.what();
  const CLI::App& last = chosen.empty() ? app : *chosen.back();
  const std::vector<std::string> commands = command_names(last);
  const bool is_missing = chosen.size() < arguments.size() && !commands.empty();
  if (is_missing && !arguments[chosen.size()].starts_with('-')) {
    const std::string near = nearest(arguments[chosen.size()], commands);
    message = fmt::format("there is no command{} {}{}", command, arguments[chosen.size()],
                          near.empty() ? "" : fmt::format("; did you mean {}?", near));
  }
  const std::vector<std::string> known =
      chosen.empty() ? std::vector<std::string>{} : option_names(last);
  for (const std::string& argument : arguments) {
    const std::string name = argument.substr(0, argument.find('='));
    if (!name.starts_with("--") || std::find(known.begin(), known.end(), name) != known.end())
      continue;
    if (const std::string near = nearest(name, known); !near.empty()) {
      message = fmt::format("there is no option {}; did you mean {}?", name, near);
    } else {
      message = fmt::format("there is no option {}", name);
    }
    break;
  }
  return fail(ErrorKind::kUsage, fmt::format("{}\nSee 'everycrash{} --help'.", message, command));
}

constexpr const char* kIntroduction =
    "Tests what a program leaves in its files when it dies, and whether it can go on.\n"
    "  everycrash test -- ./app ARG...           record it, crash it and judge\n"
    "  everycrash test --check ./check -- ./app  with your own judge\n"
    "  everycrash test                           as everycrash.toml says\n";

constexpr const char* kExits =
    "Exit status: 0 survived, 1 a finding, 2 wrong usage, 3 no verdict (program or\n"
    "checker fails without a crash), 4 nothing to explore, 5 --require-complete,\n"
    "77 not possible on this machine, 130 interrupted.";

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
  merge->add_flag("-v,--verbose", options.common.verbose, "more; twice: everything");
}

void add_report(CLI::App& app, ReportOptions& options) {
  auto* report = app.add_subcommand("report", "draw the HTML report of a result document");
  report->add_option("RESULT", options.result, "a result document, or the folder that holds it")
      ->required();
  report->add_option("-o,--output", options.folder,
                     "folder that gets report.html (default: where the result is)");
}

void add_scenario(CLI::App& app, ScenarioOptions& options) {
  auto* scenario =
      app.add_subcommand("scenario", "the reference workloads that come with everycrash");
  scenario->require_subcommand(1);
  auto* list = scenario->add_subcommand("list", "names, and the mistakes that can be planted");
  list->callback([&options] { options.list = true; });
  auto* run = scenario->add_subcommand("run", "test one");
  run->add_option("NAME", options.name, "as 'scenario list' prints it");
  run->add_option("--break", options.break_name, "plant this mistake");
  run->add_flag("--all", options.all, "every mistake of the chosen crash kinds, and the reference");
  run->add_flag("--matrix", options.matrix,
                "with --all: a table of every mistake under every crash kind, of all scenarios");
  run->add_option(
         "--columns", options.columns,
         "crash kinds of the matrix: kill, power, lost-fsync, io-error, again, concurrent, "
         "clock (default: all)")
      ->delimiter(',')
      ->allow_extra_args(false);
  run->add_flag("--quick", options.quick,
                "a small job; the matrix looks only where something is expected");
  add_workload_options(run, options.common);
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
      ->check(CLI::IsMember(
          {"text", "junit", "sarif", "markdown", "github", "github-summary", "properties"}));
  exporting->add_option("--to", invocation.exporting.output,
                        "file to write (default: standard output)");

  auto* baseline = app.add_subcommand("baseline", "accept the findings that are known");
  baseline->require_subcommand(1);
  auto* update = baseline->add_subcommand("update", "write the findings of results into the file");
  update->add_option("RESULT", invocation.baseline.results, "as --json wrote it")->required();
  add(update, "--baseline", invocation.baseline.baseline, "the file");

  auto* init = app.add_subcommand("init", "write an everycrash.toml for the project at hand");
  init->add_option("DIRECTORY", invocation.init.directory, "the project (default: here)");
  init->add_flag("--force", invocation.init.force, "replace one that is there");

  app.add_subcommand("man", "print the manual page: everycrash man | man -l -");
  auto* completion = app.add_subcommand("completion", "print what a shell needs to complete words");
  completion->add_option("SHELL", invocation.shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
}

void add_validate(CLI::App& app, ValidateOptions& options) {
  auto* validate = app.add_subcommand(
      "validate", "hold the persistence models against this machine's file systems (root)");
  validate
      ->add_option("--fs", options.file_systems, "ext4, xfs, btrfs; mount options: ext4:nodelalloc")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_disk_settings(validate, options.disk);
  validate->add_option("--script", options.script, "only this workload, as a report prints it");
  validate->add_option("--random", options.random, "random workloads on each file system");
  validate->add_option("--first", options.first, "number of the first random workload");
  validate->add_flag("!--no-litmus", options.litmus, "leave the litmus workloads out");
  validate->add_option("--schedules", options.schedules, "ways in which the kernel writes back");
  validate->add_option("--images", options.images, "disk contents mounted for each of them");
  validate->add_option("--seed", options.seed, "seed of everything random");
  validate->add_option("--jobs", options.jobs, "disks side by side (0 = two a processor)");
  validate->add_option("--report", options.report, "write the table to this file, as markdown");
  add_appearance(validate, options.color);
  validate->add_flag("-q,--quiet", options.quiet, "only disagreements and the table");
}

void add_disk(CLI::App& app, DiskShellOptions& options) {
  auto* disk = app.add_subcommand("disk", "crash states of a trace on a real file system (root)");
  disk->require_subcommand(1);
  const auto common = [&options](CLI::App* command) {
    command->add_option("TRACE", options.trace, "a trace, as 'record' writes it");
    command->add_option("--fs", options.file_system, "ext4, xfs, btrfs; options: ext4:nodelalloc");
    command->add_option("--schedule", options.schedule, "number of the schedule");
    command->add_option("--seed", options.seed, "seed of schedules and losses");
    command->add_flag("--lost-fsync", options.lost_flushes, "the disk lies about flushes");
    add_disk_settings(command, options.disk);
  };
  auto* list = disk->add_subcommand("list", "the states of one schedule and what is in them");
  common(list);
  list->callback([&options] { options.list = true; });
  auto* shell = disk->add_subcommand("shell", "mount one state and look at it");
  common(shell);
  shell->add_option("--state", options.state, "number of the state, as 'disk list' prints it");
  shell->add_option("--image", options.image, "a kept image, instead of a trace and a state");
}

void add_sink(CLI::App& app, SinkCommandOptions& options) {
  auto* sink = app.add_subcommand(
      "sink", "a receiver for tests: answers HTTP on loopback, prints each effect once it is done");
  sink->add_option("BEHAVIOUR", options.behaviour,
                   "PORT[,no-dedup][,delay=200ms][,fail=N][,drop=N]; port 0 is any that is free");
  sink->add_option("--log", options.log,
                   "file that gets each effect; what it holds already is known");
}

void add_chaos(CLI::App& app, ChaosOptions& options) {
  auto* chaos = app.add_subcommand(
      "chaos", "run a workload under random faults, again and again, and count what becomes of it");
  add_workload_options(chaos, options.common);
  add_verdict_options(chaos, options.common);
  add_report_options(chaos, options.common);
  add(chaos, "--for", options.duration, "how long");
  add(chaos, "--rounds", options.rounds, "so many rounds instead");
  chaos->add_option("--round", options.round, "only this round, as an earlier run named it");
  add(chaos, "--seed", options.common.seed, "what the faults are drawn from");
  chaos->add_option("--metrics", options.metrics, "file that gets the counts, for Prometheus");
}

void add_doctor(CLI::App& app, bool& clean) {
  auto* doctor = app.add_subcommand(
      "doctor", "what this machine allows, and what to do about what it does not");
  doctor->add_flag("--clean", clean,
                   "remove what runs that were killed have left behind, by their own records");
}

/// All subcommands, bound to INVOCATION.
void build(CLI::App& app, Invocation& invocation) {
  app.require_subcommand(1);
  app.footer(kExits);
  auto* test =
      app.add_subcommand("test", "record a workload, crash it everywhere, judge what is left");
  add_workload_options(test, invocation.test);
  add_verdict_options(test, invocation.test);
  add_explore_options(test, invocation.test);
  add_report_options(test, invocation.test);
  add_real_options(test, invocation.test);
  add_fault_options(test, invocation.test);
  test->add_flag("--live", invocation.test.live,
                 "kill the real program at every crash point instead of rebuilding states");

  auto* record = app.add_subcommand("record", "only record a workload; exits with its status");
  add_workload_options(record, invocation.record.common);
  add_fault_options(record, invocation.record.common);
  add_effect_options(record, invocation.record.common.effects);
  record->add_option("--trace", invocation.record.trace, "file to write")->required();

  auto* explore = app.add_subcommand("explore", "judge the crash states of a recorded trace");
  explore->add_option("TRACE", invocation.explore.trace, "a trace, as 'record' writes it")
      ->required();
  add_workload_options(explore, invocation.explore.common);
  add_verdict_options(explore, invocation.explore.common);
  add_explore_options(explore, invocation.explore.common);
  add_report_options(explore, invocation.explore.common);
  add_real_options(explore, invocation.explore.common);

  auto* inject = app.add_subcommand(
      "inject",
      "run a workload with faults for real: killed, with calls that fail, syncs that do nothing");
  add_workload_options(inject, invocation.inject.common);
  add_verdict_options(inject, invocation.inject.common);
  add(inject, "--kill-at", invocation.inject.kill_at,
      "crash point, such as 'rename(state.json)#2'");
  add_fault_options(inject, invocation.inject.common);
  add(inject, "--seed", invocation.inject.common.seed, "what chance= and delays are drawn from");
  inject->add_option("--keep", invocation.inject.keep, "folder that gets what was left");

  add_chaos(app, invocation.chaos);

  auto* replay = app.add_subcommand("replay", "build the state of a finding again and judge it");
  replay
      ->add_option("RESULT", invocation.replay.result,
                   "a result document, or the folder that holds it")
      ->required();
  replay->add_option("FINDING", invocation.replay.finding, "its id, or the beginning of it");
  replay->add_option("--keep", invocation.replay.keep, "folder that gets the state");
  replay->add_flag("--shell", invocation.replay.shell, "open a shell in the state");
  replay->add_flag("--gdb", invocation.replay.gdb, "run the checker, or the workload, in gdb");
  add_appearance(replay, invocation.replay.color);

  add_report(app, invocation.report);
  add_merge(app, invocation.merge);
  add_validate(app, invocation.validate);
  add_disk(app, invocation.disk);

  add_scenario(app, invocation.scenario);

  add_sink(app, invocation.sink);
  add_doctor(app, invocation.clean);
  add_helpers(app, invocation);
}

Invocation::Command command_of(const CLI::App& app) {
  using Command = Invocation::Command;
  const std::string& name = app.get_subcommands().front()->get_name();
  if (name == "test") return Command::kTest;
  if (name == "record") return Command::kRecord;
  if (name == "explore") return Command::kExplore;
  if (name == "inject") return Command::kInject;
  if (name == "chaos") return Command::kChaos;
  if (name == "replay") return Command::kReplay;
  if (name == "report") return Command::kReport;
  if (name == "merge") return Command::kMerge;
  if (name == "validate") return Command::kValidate;
  if (name == "disk") return Command::kDisk;
  if (name == "scenario") return Command::kScenario;
  if (name == "export") return Command::kExport;
  if (name == "baseline") return Command::kBaselineUpdate;
  if (name == "init") return Command::kInit;
  if (name == "man" || name == "completion") return Command::kHelp;
  if (name == "sink") return Command::kSink;
  return Command::kDoctor;
}

/// Takes the workload off: everything behind the first "--" belongs to it, untouched.
std::vector<std::string> take_workload(std::vector<std::string>& arguments) {
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  if (dashes == arguments.end()) return {};
  std::vector<std::string> workload(dashes + 1, arguments.end());
  arguments.erase(dashes, arguments.end());
  return workload;
}

/// What --help tells of COMMAND; ALL: with every option.
std::string help_of(const CLI::App& app, const std::string& command, bool all) {
  const std::vector<CommandRow> table = table_of(app);
  const auto row = std::find_if(table.begin(), table.end(),
                                [&](const CommandRow& known) { return known.name == command; });
  if (row != table.end()) return command_help(*row, all);
  std::string text = program_help(table, kIntroduction, kExits);
  if (!all) return text;
  for (const CommandRow& each : table) text += "\n" + command_help(each, true);
  return text;
}

/// `--on` alone means power failures, under the models of these file systems, too.
void complete_real_options(TestOptions& options) {
  if (options.on.empty()) return;
  const TestOptions usual;
  if (options.crash == usual.crash) options.crash = {"power"};
  if (options.models != usual.models) return;
  std::vector<std::string> models;
  for (const std::string& name : options.on) {
    const auto found = parse_disk_file_system(name);
    if (!found || found->model == nullptr) continue;
    const std::string model(found->model->name);
    if (std::find(models.begin(), models.end(), model) == models.end()) models.push_back(model);
  }
  if (!models.empty()) options.models = models;
}

TestOptions* options_of(Invocation& invocation, const std::string& command) {
  if (command == "test") return &invocation.test;
  if (command == "record") return &invocation.record.common;
  if (command == "explore") return &invocation.explore.common;
  if (command == "inject") return &invocation.inject.common;
  if (command == "chaos") return &invocation.chaos.common;
  if (command == "merge") return &invocation.merge.common;
  if (command == "scenario") return &invocation.scenario.common;
  return nullptr;
}

/// What ARGUMENTS say, put into INVOCATION; what they do not name stays as it is there.
Status parse_into(Invocation& invocation, const std::vector<std::string>& arguments) {
  CLI::App app(kIntroduction, "everycrash");
  build(app, invocation);
  if (std::find(arguments.begin(), arguments.end(), "--help-all") != arguments.end()) {
    invocation.help = help_of(app, arguments.front(), true);
    return {};
  }
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    invocation.help = help_of(app, command_words(app), false);
    return {};
  } catch (const CLI::ParseError& error) {
    return usage_error(app, error, arguments);
  }
  invocation.command = command_of(app);
  if (app.got_subcommand("man")) invocation.help = man_page(table_of(app), kIntroduction, kExits);
  if (app.got_subcommand("completion"))
    invocation.help = completion_script(table_of(app), invocation.shell);
  return {};
}

/// `--concurrent` stands for one more crash kind.
void complete_crash_kinds(TestOptions& options) {
  auto& crash = options.crash;
  if (!options.concurrent || std::find(crash.begin(), crash.end(), "concurrent") != crash.end())
    return;
  crash.emplace_back("concurrent");
}

}  // namespace

std::vector<CommandRow> command_table() {
  Invocation unused;
  CLI::App app;
  build(app, unused);
  return table_of(app);
}

Result<Invocation> parse_arguments(std::vector<std::string> arguments) {
  Invocation asked;
  if (arguments == std::vector<std::string>{"--version"}) {
    asked.command = Invocation::Command::kVersion;
    return asked;
  }
  std::vector<std::string> workload = take_workload(arguments);
  if (Status ok = parse_into(asked, arguments); !ok) return tl::unexpected(ok.error());
  const std::string command = arguments.empty() ? "" : arguments.front();
  const TestOptions* const named = options_of(asked, command);
  if (asked.command == Invocation::Command::kHelp || named == nullptr) return asked;

  // The command line wins over the file that it names: it is taken in a second time, on top of it.
  Invocation invocation;
  TestOptions& options = *options_of(invocation, command);
  options.base = std::filesystem::current_path();
  // A workload on the command line brings its own world; the project's file is for the bare
  // command.
  const bool wanted = command == "test" && workload.empty();
  if (wanted || !named->config.empty()) {
    if (Status ok = read_config(named->config, options); !ok) return tl::unexpected(ok.error());
  }
  if (!workload.empty()) options.workload = std::move(workload);
  if (Status ok = parse_into(invocation, arguments); !ok) return tl::unexpected(ok.error());
  complete_crash_kinds(options);
  complete_real_options(invocation.test);
  complete_real_options(invocation.explore.common);
  return invocation;
}

}  // namespace everycrash::cli
