// The only file that includes CLI11. It throws; here its errors become values.
#include "harness/cli/options.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "harness/cli/config.h"
#include "harness/cli/nearest.h"

namespace everycrash::cli {
namespace {

std::string environment_name(const std::string& option) {
  std::string name = "EVERYCRASH_" + option.substr(2);
  for (char& c : name)
    c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

template <typename T>
CLI::Option* add(CLI::App* app, const std::string& name, T& value, const std::string& help) {
  return app->add_option(name, value, help)->envname(environment_name(name));
}

/// Lists are given with commas, or by naming the option again.
CLI::Option* add_list(CLI::App* app, const std::string& name, std::vector<std::string>& value,
                      const std::string& help) {
  return add(app, name, value, help)->delimiter(',')->allow_extra_args(false);
}

void add_appearance(CLI::App* app, std::string& color) {
  add(app, "--color", color, "always, never or auto")
      ->check(CLI::IsMember({"always", "never", "auto"}));
}

void add_workload_options(CLI::App* app, TestOptions& options) {
  auto* group = app->add_option_group("Workload");
  // Not from the environment: EVERYCRASH_DIR tells a checker where it is, not a run where to go.
  group->add_option("--dir", options.directory, "state directory (default: a fresh one in memory)");
  add(group, "--init", options.init, "command that fills the state directory first");
  add(group, "--timeout", options.timeout, "time limit of one run of the workload");
  add(group, "--trace-size", options.trace_size_mb, "largest trace, in MiB");
  group->add_flag("--no-namespaces", options.plain,
                  "run without namespaces even where they are allowed");
  add_appearance(app, options.color);
  app->add_flag("-q,--quiet", options.quiet, "only findings and the verdict");
  app->add_flag("-v,--verbose", options.verbose, "more; twice: everything");
}

/// Faults that the recorded run itself meets.
void add_fault_options(CLI::App* app, TestOptions& options) {
  add_list(app, "--lose-fsync", options.lose_fsync,
           "GLOBs: in the run, syncs of these files succeed without being done ('*': sync, too)");
}

void add_verdict_options(CLI::App* app, TestOptions& options) {
  auto* group = app->add_option_group("Verdict");
  add(group, "--check", options.check,
      "command that judges a crash state: exit 0 = consistent, 77 = cannot tell");
  add(group, "--recover", options.recover,
      "command that recovers a crash state before it is judged");
  group->add_flag("--resume", options.resume,
                  "the workload must be able to run again on a crash state");
  add_list(group, "--oracle", options.oracles,
           "built-in judges: acknowledged, half-file, resume, no-leftovers, exactly-once, "
           "recovery-twice");
  add(group, "--ack", options.acknowledgement,
      "what counts as a promise: stdout, exit, none, or a REGEX for lines");
  add_list(group, "--ignore", options.ignore, "globs of files in which equal runs may differ");
  add(group, "--check-timeout", options.check_timeout,
      "time limit of checker, recovery and resumed run");
}

void add_explore_options(CLI::App* app, TestOptions& options) {
  auto* group = app->add_option_group("Exploration");
  add_list(group, "--crash", options.crash, "kill, power, lost-fsync, again, concurrent");
  group->add_flag("--concurrent", options.concurrent,
                  "also run a second instance while the first stands still at each crash point");
  add(group, "--preemptions", options.preemptions,
      "for --concurrent: how often one of the two is stopped in favour of the other")
      ->check(CLI::IsMember({1, 2}));
  add_list(group, "--fs", options.models,
           "persistence models for power: posix, ext4, ext4-noauto_da_alloc, ext4-nodelalloc, "
           "ext4-writeback, xfs, btrfs");
  add(group, "--lost-fsync", options.lost_fsync,
      "which syncs a lying disk loses: all, one (each in turn), or those of this file");
  add(group, "--budget", options.budget, "stop exploring after this time");
  add(group, "--max-states", options.states_max, "check at most so many states (0 = no limit)");
  add(group, "--seed", options.seed, "seed of random states");
  add(group, "--depth", options.depth, "lost or kept units in a bounded exploration");
  add(group, "--again-depth", options.again_depth,
      "for --crash again: crashes of recovery in a row (0 = until no new state comes up)");
  add(group, "--tear", options.tear, "bytes that reach the disk in one piece: 4096 or 512")
      ->check(CLI::IsMember({4096, 512}));
  add(group, "--shard", options.shard, "I/N: only this part of the states");
  add(group, "--jobs", options.jobs, "parallel workers (0 = one a processor)");
  group->add_flag("--all-points", options.all_points,
                  "check equal states again at each crash point");
  group->add_flag("--strict", options.strict, "what could not be judged is a failure");
  group->add_flag("--require-complete", options.require_complete,
                  "exit 5 unless everything was covered");
  add(group, "--expect", options.expect, "finding: exit 0 exactly if there is one")
      ->check(CLI::IsMember({"finding"}));
  add(group, "--json", options.json, "write the result document to this file");
  add(group, "--output", options.output, "folder that keeps a run with findings");
}

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

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

tl::unexpected<Error> usage_error(const CLI::App& app, const CLI::ParseError& error,
                                  const std::vector<std::string>& arguments) {
  const auto chosen = app.get_subcommands();
  std::string message = error.what();
  if (chosen.empty() && !arguments.empty() && !arguments.front().starts_with('-')) {
    const std::string near = nearest(arguments.front(), command_names(app));
    message = fmt::format("there is no command {}{}", arguments.front(),
                          near.empty() ? "" : fmt::format("; did you mean {}?", near));
  }
  const std::vector<std::string> known =
      chosen.empty() ? std::vector<std::string>{} : option_names(*chosen.front());
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
  const std::string command = chosen.empty() ? "" : " " + chosen.front()->get_name();
  return fail(ErrorKind::kUsage, fmt::format("{}\nSee 'everycrash{} --help'.", message, command));
}

constexpr const char* kIntroduction =
    "Tests what a program leaves in its files when it dies, and whether it can go on from that.\n\n"
    "  everycrash test -- ./app ARG...        record it, crash it everywhere, judge what is left\n"
    "  everycrash test --check ./check -- ./app   with your own judge\n"
    "  everycrash test                        as everycrash.toml says\n";

constexpr const char* kExits =
    "Exit status: 0 survived, 1 a finding, 2 wrong usage, 3 no verdict (workload or checker fails\n"
    "without a crash), 4 nothing to explore, 5 incomplete (--require-complete), 77 not possible "
    "on\n"
    "this machine, 130 interrupted.";

void add_merge(CLI::App& app, MergeOptions& options) {
  auto* merge = app.add_subcommand(
      "merge", "join the results of all shards into what one run would have written");
  merge->add_option("RESULT", options.results, "result documents of 'explore TRACE --shard I/N'")
      ->required();
  add(merge, "--json", options.common.json, "write the result document to this file");
  add(merge, "--output", options.common.output, "folder that keeps a run with findings");
  merge->add_flag("--no-namespaces", options.common.plain,
                  "run without namespaces even where they are allowed");
  add_appearance(merge, options.common.color);
  merge->add_flag("-q,--quiet", options.common.quiet, "only findings and the verdict");
  merge->add_flag("-v,--verbose", options.common.verbose, "more; twice: everything");
}

/// All subcommands, bound to INVOCATION.
void build(CLI::App& app, Invocation& invocation) {
  app.require_subcommand(1);
  app.footer(kExits);
  app.set_help_all_flag("--help-all", "help for all commands");
  auto* test =
      app.add_subcommand("test", "record a workload, crash it everywhere, judge what is left");
  add_workload_options(test, invocation.test);
  add_verdict_options(test, invocation.test);
  add_explore_options(test, invocation.test);
  add_fault_options(test, invocation.test);
  test->add_flag("--live", invocation.test.live,
                 "kill the real program at every crash point instead of rebuilding states");

  auto* record = app.add_subcommand("record", "only record a workload; exits with its status");
  add_workload_options(record, invocation.record.common);
  add_fault_options(record, invocation.record.common);
  record->add_option("--trace", invocation.record.trace, "file to write")->required();

  auto* explore = app.add_subcommand("explore", "judge the crash states of a recorded trace");
  explore->add_option("TRACE", invocation.explore.trace, "a trace, as 'record' writes it")
      ->required();
  add_workload_options(explore, invocation.explore.common);
  add_verdict_options(explore, invocation.explore.common);
  add_explore_options(explore, invocation.explore.common);

  auto* inject = app.add_subcommand(
      "inject",
      "run a workload with faults for real: killed at one point, or with syncs that do nothing");
  add_workload_options(inject, invocation.inject.common);
  add_verdict_options(inject, invocation.inject.common);
  add(inject, "--kill-at", invocation.inject.kill_at,
      "crash point, such as 'rename(state.json)#2'");
  add_fault_options(inject, invocation.inject.common);
  inject->add_option("--keep", invocation.inject.keep, "folder that gets what was left");

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

  add_merge(app, invocation.merge);

  auto* scenario =
      app.add_subcommand("scenario", "the reference workloads that come with everycrash");
  scenario->require_subcommand(1);
  auto* list = scenario->add_subcommand("list", "names, and the mistakes that can be planted");
  list->callback([&invocation] { invocation.scenario.list = true; });
  auto* run = scenario->add_subcommand("run", "test one");
  run->add_option("NAME", invocation.scenario.name, "as 'scenario list' prints it");
  run->add_option("--break", invocation.scenario.break_name, "plant this mistake");
  run->add_flag("--all", invocation.scenario.all,
                "every mistake of the chosen crash kinds, and the reference");
  run->add_flag("--quick", invocation.scenario.quick, "a small job");
  add_workload_options(run, invocation.scenario.common);
  add_explore_options(run, invocation.scenario.common);

  app.add_subcommand("doctor", "what this machine allows, and what to do about what it does not");
}

Invocation::Command command_of(const CLI::App& app) {
  using Command = Invocation::Command;
  const std::string& name = app.get_subcommands().front()->get_name();
  if (name == "test") return Command::kTest;
  if (name == "record") return Command::kRecord;
  if (name == "explore") return Command::kExplore;
  if (name == "inject") return Command::kInject;
  if (name == "replay") return Command::kReplay;
  if (name == "merge") return Command::kMerge;
  if (name == "scenario") return Command::kScenario;
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

/// The value of "--config FILE" or "--config=FILE", taken off; "" if it was not given.
std::string take_config(std::vector<std::string>& arguments) {
  for (auto it = arguments.begin(); it != arguments.end(); ++it) {
    if (it->starts_with("--config=")) {
      std::string value = it->substr(9);
      arguments.erase(it);
      return value;
    }
    if (*it == "--config" && it + 1 != arguments.end()) {
      std::string value = *(it + 1);
      arguments.erase(it, it + 2);
      return value;
    }
  }
  return "";
}

TestOptions* options_of(Invocation& invocation, const std::string& command) {
  if (command == "test") return &invocation.test;
  if (command == "record") return &invocation.record.common;
  if (command == "explore") return &invocation.explore.common;
  if (command == "inject") return &invocation.inject.common;
  if (command == "merge") return &invocation.merge.common;
  if (command == "scenario") return &invocation.scenario.common;
  return nullptr;
}

}  // namespace

Result<Invocation> parse_arguments(std::vector<std::string> arguments) {
  Invocation invocation;
  if (arguments == std::vector<std::string>{"--version"}) {
    invocation.command = Invocation::Command::kVersion;
    return invocation;
  }
  std::vector<std::string> workload = take_workload(arguments);
  const std::string config = take_config(arguments);
  TestOptions* options = arguments.empty() ? nullptr : options_of(invocation, arguments.front());
  if (options != nullptr) {
    options->base = std::filesystem::current_path();
    // A workload on the command line brings its own world; the project's file is for the bare
    // command.
    const bool wanted = arguments.front() == "test" && workload.empty();
    if (wanted || !config.empty()) {
      if (Status ok = read_config(config, *options); !ok) return tl::unexpected(ok.error());
    }
    if (!workload.empty()) options->workload = std::move(workload);
  }
  CLI::App app(kIntroduction, "everycrash");
  build(app, invocation);
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    invocation.help = chosen.empty() ? app.help() : chosen.front()->help();
    return invocation;
  } catch (const CLI::CallForAllHelp&) {
    invocation.help = app.help("", CLI::AppFormatMode::All);
    return invocation;
  } catch (const CLI::ParseError& error) {
    return usage_error(app, error, arguments);
  }
  if (options != nullptr && options->concurrent &&
      std::find(options->crash.begin(), options->crash.end(), "concurrent") ==
          options->crash.end()) {
    options->crash.emplace_back("concurrent");
  }
  invocation.command = command_of(app);
  return invocation;
}

Result<std::chrono::milliseconds> parse_duration(std::string_view text, std::string_view option) {
  const auto wrong = [&] {
    return fail(ErrorKind::kUsage,
                fmt::format("{} {}: not a time; write 250ms, 30s, 5m or 1h", option, text));
  };
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !(value >= 0) || value > 1e9) return wrong();
  const std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  double factor = 0;
  if (unit.empty() || unit == "s") factor = 1000;
  if (unit == "ms") factor = 1;
  if (unit == "m") factor = 60'000;
  if (unit == "h") factor = 3'600'000;
  if (factor == 0) return wrong();
  return std::chrono::milliseconds(static_cast<int64_t>(value * factor));
}

Result<Shard> parse_shard(std::string_view text) {
  const char* index = std::getenv("TEST_SHARD_INDEX");
  const char* total = std::getenv("TEST_TOTAL_SHARDS");
  unsigned i = 0;
  unsigned n = 0;
  int used = 0;
  if (text.empty() && index != nullptr && total != nullptr) {
    if (std::sscanf(index, "%u", &i) == 1 && std::sscanf(total, "%u", &n) == 1 && i < n)
      return Shard{i, n};
    return fail(ErrorKind::kUsage, "TEST_SHARD_INDEX must be a number below TEST_TOTAL_SHARDS");
  }
  if (text.empty()) return Shard{};
  const std::string copy(text);
  const bool read = std::sscanf(copy.c_str(), "%u/%u%n", &i, &n, &used) == 2;
  if (!read || static_cast<size_t>(used) != copy.size() || i < 1 || i > n) {
    return fail(ErrorKind::kUsage, fmt::format("--shard {}: write I/N with 1 <= I <= N", text));
  }
  return Shard{i - 1, n};
}

}  // namespace everycrash::cli
