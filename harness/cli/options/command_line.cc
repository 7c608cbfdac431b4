// CLI11 throws; here its errors become values.
#include "harness/cli/options/command_line.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

#include "harness/cli/options/command_options.h"
#include "harness/cli/options/command_table.h"
#include "harness/cli/options/config.h"
#include "harness/cli/options/option_adder.h"
#include "harness/cli/options/usage_error.h"
#include "harness/disk/disk_file_system.h"

namespace everycrash::cli {
namespace {

constexpr const char* kIntroduction =
    "Tests what a program leaves in its files when it dies, and whether it can go on.\n"
    "  everycrash test -- ./app ARG...           record it, crash it and judge\n"
    "  everycrash test --check ./check -- ./app  with your own judge\n"
    "  everycrash test                           as everycrash.toml says\n";

constexpr const char* kExits =
    "Exit status: 0 survived, 1 a finding, 2 wrong usage, 3 no verdict (program or\n"
    "checker fails without a crash), 4 nothing to explore, 5 --require-complete,\n"
    "77 not possible on this machine, 130 interrupted.";

/// A command line, and what CLI11 does not know of its options.
struct CommandLine {
  explicit CommandLine(Invocation& invocation) : app(kIntroduction, "everycrash") {
    app.require_subcommand(1);
    add_commands({&app, facts}, invocation);
  }
  CLI::App app;
  OptionFactsOf facts;
};

OptionRow row_of(const CLI::Option& option, const OptionFactsOf& facts) {
  OptionRow row;
  for (const std::string& name : option.get_snames()) row.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) row.names.push_back("--" + name);
  row.help = option.get_description();
  row.takes_value = option.get_items_expected_max() > 0;
  row.value = value_of(option);
  row.positional = row.names.empty();
  if (row.positional) row.names.push_back(option.get_name());
  row.required = option.get_required();
  row.environment = option.get_envname();
  if (const auto known = facts.find(&option); known != facts.end()) row.facts = known->second;
  return row;
}

void add_rows(const CLI::App& app, const OptionFactsOf& facts, const std::string& group,
              CommandRow& row) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_lnames() == std::vector<std::string>{"help"}) continue;
    row.options.push_back(row_of(*option, facts));
    row.options.back().group = group;
  }
  for (const CLI::App* part :
       app.get_subcommands([](const CLI::App* sub) { return sub->get_name().empty(); })) {
    add_rows(*part, facts, part->get_group(), row);
  }
}

/// All commands, as data for help, manual and completions. Commands of a command ("scenario run")
/// come behind it, by both words.
std::vector<CommandRow> table_of(const CLI::App& app, const OptionFactsOf& facts,
                                 const std::string& before = "") {
  std::vector<CommandRow> table;
  for (const CLI::App* command :
       app.get_subcommands([](const CLI::App* sub) { return !sub->get_name().empty(); })) {
    CommandRow row{before + command->get_name(), command->get_description(), {}};
    add_rows(*command, facts, "", row);
    std::vector<CommandRow> inner = table_of(*command, facts, before + command->get_name() + " ");
    row.has_commands = !inner.empty();
    table.push_back(std::move(row));
    std::move(inner.begin(), inner.end(), std::back_inserter(table));
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
std::string help_of(const CommandLine& line, const std::string& command, bool all) {
  const std::vector<CommandRow> table = table_of(line.app, line.facts);
  const auto row = std::find_if(table.begin(), table.end(),
                                [&](const CommandRow& known) { return known.name == command; });
  if (row != table.end()) return command_help(*row, all) + inner_commands_help(table, command);
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
  CommandLine line(invocation);
  CLI::App& app = line.app;
  if (std::find(arguments.begin(), arguments.end(), "--help-all") != arguments.end()) {
    invocation.help = help_of(line, arguments.front(), true);
    return {};
  }
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    app.parse(reversed);
  } catch (const CLI::CallForHelp& help) {
    if (!unknown_command(app, arguments).empty()) return usage_error(app, help, arguments);
    invocation.help = help_of(line, command_words(app), false);
    return {};
  } catch (const CLI::ParseError& error) {
    return usage_error(app, error, arguments);
  }
  invocation.command = command_of(app);
  if (invocation.command != Invocation::Command::kHelp) return {};
  const std::vector<CommandRow> table = table_of(app, line.facts);
  invocation.help = app.got_subcommand("man") ? man_page(table, kIntroduction, kExits)
                                              : completion_script(table, invocation.shell);
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
  const CommandLine line(unused);
  return table_of(line.app, line.facts);
}

Result<Invocation> parse_arguments(std::vector<std::string> arguments) {
  Invocation asked;
  if (arguments == std::vector<std::string>{"--version"}) {
    asked.command = Invocation::Command::kVersion;
    return asked;
  }
  std::vector<std::string> workload = take_workload(arguments);
  if (!arguments.empty() && arguments.front() == "help") {
    arguments.erase(arguments.begin());
    arguments.emplace_back("--help");
  }
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
