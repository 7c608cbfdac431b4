#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>

#include "harness/base/folder_for_test.h"
#include "harness/cli/options/command_line.h"
#include "harness/cli/options/command_table.h"
#include "harness/cli/options/config.h"
#include "harness/cli/options/nearest.h"

namespace everycrash::cli {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

/// Away from any everycrash.toml of a folder above.
class Options : public testing::Test {
 protected:
  void SetUp() override {
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(folder_.path());
  }
  void TearDown() override { std::filesystem::current_path(before_); }
  void configure(const std::string& text) { std::ofstream(folder_ / "everycrash.toml") << text; }
  static std::string error(std::vector<std::string> arguments) {
    const Result<Invocation> invocation = parse_arguments(std::move(arguments));
    return invocation ? "" : invocation.error().message;
  }

  FolderForTest folder_;
  std::filesystem::path before_;
};

TEST_F(Options, behind_the_dashes_belong_to_the_workload) {
  const Result<Invocation> invocation =
      parse_arguments({"test", "--seed", "7", "--", "./app", "--seed", "8", "--"});
  ASSERT_TRUE(invocation) << invocation.error().message;
  EXPECT_EQ(invocation->command, Invocation::Command::kTest);
  EXPECT_EQ(invocation->test.seed, 7u);
  EXPECT_THAT(invocation->test.workload, ElementsAre("./app", "--seed", "8", "--"));
}

TEST_F(Options, lists_are_separated_by_commas) {
  const Result<Invocation> invocation =
      parse_arguments({"test", "--crash", "kill,power", "--fs=ext4,xfs", "--", "app"});
  ASSERT_TRUE(invocation) << invocation.error().message;
  EXPECT_THAT(invocation->test.crash, ElementsAre("kill", "power"));
  EXPECT_THAT(invocation->test.models, ElementsAre("ext4", "xfs"));
}

TEST_F(Options, that_do_not_exist_are_answered_with_the_nearest) {
  EXPECT_THAT(error({"test", "--chek", "x", "--", "app"}), HasSubstr("did you mean --check?"));
  EXPECT_THAT(error({"scenario", "run", "x", "--brek", "y"}),
              AllOf(HasSubstr("did you mean --break?"), HasSubstr("scenario run --help")));
  EXPECT_THAT(error({"scenario", "rn"}), HasSubstr("no command scenario rn; did you mean run?"));
}

TEST_F(Options, of_a_command_are_told_from_its_workload) {
  EXPECT_THAT(error({"test", "ls"}), HasSubstr("written behind --: everycrash test -- ls"));
  EXPECT_THAT(error({"doctor", "now"}), HasSubstr("there is no place for 'now'"));
}

TEST_F(Options, that_are_missing_are_explained) {
  EXPECT_THAT(error({}), HasSubstr("no command is given"));
  EXPECT_THAT(error({"scenario"}),
              HasSubstr("'everycrash scenario' is half a command\nThere are: scenario list, "
                        "scenario run\n"));
  EXPECT_THAT(error({"replay"}), HasSubstr("RESULT is missing: a result document, or the folder"));
  EXPECT_THAT(error({"record", "--", "app"}), HasSubstr("--trace FILE is missing: file to write"));
  EXPECT_THAT(error({"test", "--budget"}), HasSubstr("--budget is given without its TIME"));
}

TEST_F(Options, take_no_value_that_means_nothing) {
  EXPECT_THAT(error({"test", "--max-states", "-4", "--", "app"}),
              HasSubstr("--max-states: '-4' is no whole number from 0 on"));
  EXPECT_THAT(error({"test", "--depth", "x", "--", "app"}), HasSubstr("--depth: 'x' is no whole"));
  EXPECT_THAT(error({"test", "--tear", "3", "--", "app"}),
              HasSubstr("--tear: '3' is none of 4096, 512"));
  EXPECT_THAT(error({"completion", "csh"}), HasSubstr("'csh' is none of bash, zsh, fish"));
}

TEST_F(Options, that_exclude_each_other_are_named_both) {
  EXPECT_THAT(error({"test", "--at-least-once", "--at-most-once", "--", "app"}),
              HasSubstr("--at-least-once and --at-most-once contradict each other"));
}

TEST_F(Options, come_from_the_projects_file_where_no_workload_is_given) {
  configure("workload = [\"app\", \"--once\"]\ncheck = \"tests/check\"\ncrash = [\"power\"]\n");
  const Result<Invocation> invocation = parse_arguments({"test"});
  ASSERT_TRUE(invocation) << invocation.error().message;
  EXPECT_THAT(invocation->test.workload, ElementsAre("app", "--once"));
  EXPECT_EQ(invocation->test.check, "tests/check");
  EXPECT_THAT(invocation->test.crash, ElementsAre("power"));
}

TEST_F(Options, on_the_command_line_win_over_the_file) {
  configure("workload = \"app\"\nseed = 3\n");
  const Result<Invocation> invocation = parse_arguments({"test", "--seed", "9"});
  ASSERT_TRUE(invocation) << invocation.error().message;
  EXPECT_EQ(invocation->test.seed, 9u);
}

TEST_F(Options, file_errors_name_file_line_and_key) {
  configure("workload = \"app\"\nchek = \"x\"\n");
  EXPECT_THAT(error({"test"}),
              HasSubstr("everycrash.toml:2: unknown key 'chek'; did you mean 'check'?"));
  configure("workload = \"app\"\nseed = \"seven\"\n");
  EXPECT_THAT(error({"test"}),
              HasSubstr("everycrash.toml:2: 'seed' has a value of the wrong type"));
}

TEST_F(Options, of_another_file_are_read_also_beside_a_workload) {
  configure("seed = 3\n");
  std::ofstream(folder_ / "other.toml") << "seed = 7\ncheck = \"tests/check\"\n";
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"test", "--config=other.toml", "--budget", "5s", "--", "app"},
        {"test", "--budget", "5s", "--config", "other.toml", "--", "app"}}) {
    const Result<Invocation> invocation = parse_arguments(arguments);
    ASSERT_TRUE(invocation) << invocation.error().message;
    EXPECT_EQ(invocation->test.seed, 7u);
    EXPECT_EQ(invocation->test.check, "tests/check");
    EXPECT_EQ(invocation->test.budget, "5s");
    EXPECT_THAT(invocation->test.workload, ElementsAre("app"));
  }
}

TEST_F(Options, of_no_file_are_those_of_the_command_line_alone) {
  configure("workload = \"app\"\nseed = 3\n");
  const Result<Invocation> invocation = parse_arguments({"test", "--config", "none"});
  ASSERT_TRUE(invocation) << invocation.error().message;
  EXPECT_TRUE(invocation->test.workload.empty());
  EXPECT_EQ(invocation->test.seed, 1u);
}

TEST_F(Options, say_so_where_no_file_is_named) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"test", "--config"},
                                                    {"test", "--config="},
                                                    {"test", "--config", "--", "app"}}) {
    EXPECT_THAT(error(arguments), AllOf(HasSubstr("--config is given without its FILE"),
                                        HasSubstr("'everycrash test --help'")));
  }
  EXPECT_THAT(error({"test", "--config", ""}), HasSubstr("--config: name a file, or none"));
  EXPECT_THAT(error({"test", "--config", "--seed", "1"}),
              HasSubstr("--config: name a file, or none"));
  EXPECT_THAT(error({"test", "--config", "gone.toml"}), HasSubstr("there is no file"));
  EXPECT_THAT(error({"doctor", "--config", "x"}), HasSubstr("there is no option --config"));
}

TEST_F(Options, ask_for_help_also_where_the_projects_file_is_wrong) {
  configure("chek = \"x\"\n");
  EXPECT_THAT(parse_arguments({"test", "--help"})->help, HasSubstr("everycrash test"));
}

/// The long options of `everycrash test`, without dashes.
std::set<std::string> options_of_test() {
  std::set<std::string> names;
  for (const CommandRow& command : command_table()) {
    if (command.name != "test") continue;
    for (const OptionRow& option : command.options) names.insert(option.names.back().substr(2));
  }
  return names;
}

TEST(ProjectFile, can_say_every_option_that_is_not_kept_out_of_it) {
  const std::vector<std::string> keys = config_keys();
  std::set<std::string> known(keys.begin(), keys.end());
  known.erase("workload");  // behind "--" on the command line
  for (const KeptOut& option : options_kept_out()) {
    EXPECT_TRUE(known.emplace(option.name).second) << option.name << " is a key as well";
  }
  EXPECT_EQ(known, options_of_test());
}

TEST_F(Options, file_keeps_out_what_belongs_to_one_run) {
  configure("workload = \"app\"\nshard = \"1/2\"\n");
  EXPECT_THAT(error({"test"}), HasSubstr("everycrash.toml:2: 'shard' is no key: each machine"));
}

TEST_F(Options, file_values_are_held_to_the_limits_of_the_command_line) {
  configure("workload = \"app\"\npreemptions = 3\n");
  EXPECT_THAT(error({"test"}), HasSubstr("everycrash.toml:2: 'preemptions' must be 1 or 2"));
  configure("tear = 100\n");
  EXPECT_THAT(error({"test"}), HasSubstr("'tear' must be 4096 or 512"));
  configure("disk-size = 10\n");
  EXPECT_THAT(error({"test"}), HasSubstr("'disk-size' must be 300 to 1048576"));
  configure("jobs = 5000000000\n");
  EXPECT_THAT(error({"test"}), HasSubstr("'jobs' must be 0 to 4294967295"));
}

TEST_F(Options, of_real_disks_and_two_runners_come_from_the_file_too) {
  configure("concurrent = true\nagain-depth = 2\non = [\"xfs\"]\nkeep = \"disks\"\n");
  const Result<Invocation> invocation = parse_arguments({"test"});
  ASSERT_TRUE(invocation) << invocation.error().message;
  EXPECT_THAT(invocation->test.crash, testing::Contains("concurrent"));
  EXPECT_EQ(invocation->test.again_depth, 2u);
  EXPECT_THAT(invocation->test.on, ElementsAre("xfs"));
  EXPECT_EQ(invocation->test.keep, std::filesystem::current_path() / "disks");
}

TEST_F(Options, of_a_report_name_the_result_and_a_folder) {
  const Result<Invocation> invocation = parse_arguments({"report", "result.json", "-o", "out"});
  ASSERT_TRUE(invocation) << invocation.error().message;
  EXPECT_EQ(invocation->command, Invocation::Command::kReport);
  EXPECT_EQ(invocation->report.result, "result.json");
  EXPECT_EQ(invocation->report.folder, "out");
}

TEST(Duration, has_a_unit_or_is_in_seconds) {
  EXPECT_EQ(parse_duration("250ms", "--x")->count(), 250);
  EXPECT_EQ(parse_duration("90", "--x")->count(), 90'000);
  EXPECT_EQ(parse_duration("1.5m", "--x")->count(), 90'000);
  EXPECT_FALSE(parse_duration("soon", "--x"));
  EXPECT_FALSE(parse_duration("-1s", "--x"));
  EXPECT_FALSE(parse_duration("5 parsecs", "--x"));
}

TEST(ShardOption, counts_from_one) {
  EXPECT_EQ(parse_shard("2/4")->index, 1u);
  EXPECT_EQ(parse_shard("2/4")->count, 4u);
  for (const char* wrong : {"0/4", "5/4", "1", "1/4x", "a/b"})
    EXPECT_FALSE(parse_shard(wrong)) << wrong;
}

TEST(Nearest, finds_a_slip_but_not_another_word) {
  EXPECT_EQ(nearest("--chek", {"--check", "--crash"}), "--check");
  EXPECT_EQ(nearest("--frobnicate", {"--check", "--crash"}), "");
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

}  // namespace
}  // namespace everycrash::cli
