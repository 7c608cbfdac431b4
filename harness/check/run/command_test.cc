#include "harness/check/run/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace everycrash {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ParseCommand, splits_plain_words_without_a_shell) {
  EXPECT_THAT(parse_command("ls  -l\tx", "/").argv, ElementsAre("ls", "-l", "x"));
}

TEST(ParseCommand, takes_a_shell_for_quotes_and_redirections) {
  EXPECT_THAT(parse_command("ls 'a b' >x", "/").argv, ElementsAre("/bin/sh", "-c", "ls 'a b' >x"));
}

TEST(ParseCommand, takes_a_shell_for_builtins) {
  EXPECT_THAT(parse_command("exit 3", "/").argv, ElementsAre("/bin/sh", "-c", "exit 3"));
}

TEST(ParseCommand, takes_a_shell_for_leading_assignments) {
  EXPECT_THAT(parse_command("A=b ls", "/").argv, ElementsAre("/bin/sh", "-c", "A=b ls"));
}

TEST(ParseCommand, needs_no_shell_for_an_equals_sign_in_an_option) {
  EXPECT_THAT(parse_command("ls --color=never", "/").argv, ElementsAre("ls", "--color=never"));
}

TEST(ParseCommand, takes_programs_relative_to_where_they_were_typed) {
  EXPECT_THAT(parse_command("./ls x", "/usr/bin").argv, ElementsAre("/usr/bin/ls", "x"));
  EXPECT_THAT(parse_command("./ls 'x'", "/usr/bin").argv[2], HasSubstr("/usr/bin/ls 'x'"));
}

TEST(ParseCommand, takes_scripts_of_interpreters_relative_to_where_they_were_typed) {
  EXPECT_THAT(parse_command("sh -e passwd x", "/etc").argv,
              ElementsAre("sh", "-e", "/etc/passwd", "x"));
  EXPECT_THAT(parse_command("perl -e passwd", "/etc").argv, ElementsAre("perl", "-e", "passwd"));
  EXPECT_THAT(parse_command("sh missing", "/etc").argv, ElementsAre("sh", "missing"));
  EXPECT_THAT(parse_command("cat passwd", "/etc").argv, ElementsAre("cat", "passwd"))
      << "what others are given is a file of the state";
}

TEST(ParseCommand, keeps_a_path_that_leads_nowhere_so_that_it_is_named) {
  EXPECT_THAT(parse_command("./missing x", "/usr/bin").argv, ElementsAre("./missing", "x"));
}

TEST(ParseCommand, is_empty_for_blanks) {
  EXPECT_TRUE(parse_command("  ", "/").empty());
}

TEST(SetVariable, replaces_what_was_there) {
  std::vector<std::string> environment = {"A=1", "B=2"};
  set_variable(environment, "A", "3");
  EXPECT_THAT(environment, ElementsAre("B=2", "A=3"));
}

}  // namespace
}  // namespace everycrash
