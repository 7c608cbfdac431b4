// Help, manual page and completions of the real table of options.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "harness/cli/options/command_line.h"
#include "harness/cli/options/command_table.h"

namespace everycrash::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::vector<std::vector<std::string>> kCommands = {
    {},           {"test"},     {"record"}, {"explore"},         {"inject"},
    {"replay"},   {"merge"},    {"export"}, {"scenario", "run"}, {"baseline", "update"},
    {"init"},     {"doctor"},   {"man"},    {"completion"},      {"scenario", "list"},
    {"baseline"}, {"scenario"}, {"disk"}};

std::string help(std::vector<std::string> command, const std::string& option) {
  command.push_back(option);
  const Result<Invocation> invocation = parse_arguments(command);
  return invocation ? invocation->help : "error: " + invocation.error().message;
}

TEST(Help, of_each_command_fits_a_screen) {
  for (const std::vector<std::string>& command : kCommands) {
    const std::string text = help(command, "--help");
    std::istringstream lines(text);
    size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count)
      EXPECT_LE(line.size(), kScreenColumns) << line;
    EXPECT_LE(count, kScreenLines) << text;
    EXPECT_GE(count, 1u) << (command.empty() ? "" : command.front());
  }
}

TEST(Help, names_every_option_even_where_it_does_not_explain_it) {
  EXPECT_THAT(help({"test"}, "--help"), HasSubstr("--require-complete"));
  EXPECT_THAT(help({"test"}, "--help"), Not(HasSubstr("exit 5 unless")));
}

TEST(Help, can_be_asked_for_by_a_word) {
  EXPECT_EQ(parse_arguments({"help"})->help, help({}, "--help"));
  EXPECT_EQ(parse_arguments({"help", "scenario", "run"})->help,
            help({"scenario", "run"}, "--help"));
  EXPECT_THAT(parse_arguments({"help", "tset"}).error().message, HasSubstr("did you mean test?"));
}

TEST(Help, names_the_commands_of_a_command) {
  EXPECT_THAT(help({"disk"}, "--help"),
              testing::AllOf(HasSubstr("everycrash disk COMMAND"), HasSubstr("  list "),
                             HasSubstr("  shell "), HasSubstr("everycrash disk COMMAND --help")));
}

TEST(Help, shows_which_options_take_a_value) {
  EXPECT_THAT(help({"test"}, "--help"),
              testing::AllOf(HasSubstr("--budget TIME "), HasSubstr("--crash KIND,... "),
                             HasSubstr("--resume  ")));
  EXPECT_THAT(parse_arguments({"man"})->help, HasSubstr("\\-\\-budget \\fITIME\\fR"));
}

TEST(Help, with_all_explains_every_option) {
  EXPECT_THAT(help({"test"}, "--help-all"), HasSubstr("exit 5 unless everything was covered"));
  EXPECT_THAT(help({}, "--help-all"), HasSubstr("exit 5 unless everything was covered"));
}

TEST(Help, tells_which_commands_read_a_projects_file) {
  for (const char* const command : {"test", "record", "explore", "inject", "chaos", "merge"}) {
    EXPECT_THAT(help({command}, "--help-all"), HasSubstr("--config")) << command;
  }
  EXPECT_THAT(parse_arguments({"man"})->help, HasSubstr("none: take no such file"));
  EXPECT_THAT(parse_arguments({"completion", "bash"})->help, HasSubstr("--config"));
}

TEST(Help, says_what_more_is_told_where_a_report_is_printed) {
  EXPECT_THAT(help({"test"}, "--help-all"), HasSubstr("the report in full"));
  EXPECT_THAT(help({"inject"}, "--help-all"), HasSubstr("there is no report here"));
  EXPECT_EQ(parse_arguments({"test", "-vv", "--", "app"})->test.verbose, 2);
}

TEST(Help, tells_the_defaults_that_options_have) {
  const std::string text = help({"validate"}, "--help-all");
  EXPECT_THAT(text, HasSubstr("(default: " + std::to_string(ValidateOptions().random) + ")"));
  EXPECT_THAT(help({"chaos"}, "--help-all"),
              HasSubstr("how long (default: " + ChaosOptions().duration + ")"));
}

TEST(MeaningOf, tells_words_what_else_there_is_and_the_default) {
  OptionRow row{.names = {"--x"}, .help = "which"};
  EXPECT_EQ(meaning_of(row), "which");
  row.facts.words = {{"all"}, {"one", "each in turn"}};
  EXPECT_EQ(meaning_of(row), "which: all or one (each in turn)");
  row.facts.others = "or a name";
  row.facts.fallback = "all";
  row.facts.zero = "none";
  EXPECT_EQ(meaning_of(row), "which: all, one (each in turn), or a name (default: all; 0 = none)");
  row.help = "";
  row.facts = {.is_list = true, .words = {{"a"}, {"b"}}};
  EXPECT_EQ(meaning_of(row), "a, b");
}

TEST(ManPage, tells_every_command_and_its_environment) {
  const std::string text = parse_arguments({"man"})->help;
  EXPECT_THAT(text, HasSubstr(".SH EXIT STATUS"));
  EXPECT_THAT(text, HasSubstr("everycrash scenario run"));
  EXPECT_THAT(text, HasSubstr("(environment: EVERYCRASH_CHECK_TIMEOUT)"));
}

TEST(ManPage, begins_no_line_with_what_a_text_says) {
  const CommandRow command{"x", ".so /etc/passwd", {{.names = {"--y"}, .help = "'a\\b"}}};
  const std::string text = man_page({command}, "", "");
  EXPECT_THAT(text, HasSubstr("\n\\&.so /etc/passwd\n"));
  EXPECT_THAT(text, HasSubstr("\n\\&'a\\eb\n"));
}

TEST(Completion, of_each_shell_knows_every_option_and_listed_words) {
  for (const char* const shell : {"bash", "zsh", "fish"}) {
    const std::string text = parse_arguments({"completion", shell})->help;
    EXPECT_THAT(text, HasSubstr("require-complete")) << shell;
    EXPECT_THAT(text, HasSubstr("kill power")) << shell;
    EXPECT_THAT(text, HasSubstr("junit sarif")) << shell;
  }
}

TEST(Completion, of_bash_and_zsh_knows_each_command_of_a_command) {
  EXPECT_THAT(parse_arguments({"completion", "bash"})->help,
              HasSubstr("    disk|scenario|baseline) [ -n"));
  EXPECT_THAT(parse_arguments({"completion", "zsh"})->help,
              HasSubstr("    disk|scenario|baseline)\n"));
}

TEST(Completion, of_bash_knows_the_words_of_an_option_by_its_command) {
  const std::string text = parse_arguments({"completion", "bash"})->help;
  EXPECT_THAT(text, HasSubstr("    'validate --fs') words='ext4 xfs btrfs' ;;"));
  EXPECT_THAT(text, HasSubstr("    'test --fs') words='posix ext4 "));
  EXPECT_THAT(text, HasSubstr("    'test --lost-fsync') words='all one' ;;"));
}

TEST(Completion, of_zsh_and_fish_knows_files_from_folders) {
  const std::string zsh = parse_arguments({"completion", "zsh"})->help;
  EXPECT_THAT(zsh, HasSubstr("write SARIF 2.1.0 to this file]:value:_files'"));
  EXPECT_THAT(zsh, HasSubstr("for people]:value:_files -/'"));
  EXPECT_THAT(parse_arguments({"completion", "fish"})->help,
              HasSubstr(" -l report -x -a '(__fish_complete_directories)'"));
}

TEST(Completion, of_bash_knows_the_words_of_an_argument) {
  EXPECT_THAT(parse_arguments({"completion", "bash"})->help,
              HasSubstr("    'completion') words='bash zsh fish --help' ;;"));
}

}  // namespace
}  // namespace everycrash::cli
