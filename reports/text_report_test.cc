// Golden files: reports/testdata/*.txt hold what each case prints. After a wanted change, run with
// EVERYCRASH_REWRITE=1 and read the difference.
#include "reports/text_report.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "reports/testdata/sample.h"
#include "reports/text_finding.h"

namespace everycrash::reports {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

void expect_golden(const std::string& name, const std::string& text) {
  const std::filesystem::path file =
      std::filesystem::path(REPORTS_SOURCE_DIR) / "testdata" / (name + ".txt");
  if (std::getenv("EVERYCRASH_REWRITE") != nullptr) std::ofstream(file) << text;
  std::ostringstream golden;
  golden << std::ifstream(file).rdbuf();
  EXPECT_EQ(text, golden.str()) << "differs from " << file;
}

TEST(TextReport, of_a_clean_run) {
  expect_golden("clean", text_report(sample_clean(), {}));
}

TEST(TextReport, of_a_finding) {
  expect_golden("finding", text_report(sample_finding(), {}));
}

TEST(TextReport, of_a_finding_in_colour) {
  expect_golden("finding_colour", text_report(sample_finding(), {true, Detail::kNormal}));
}

TEST(TextReport, of_a_finding_with_everything) {
  expect_golden("finding_verbose", text_report(sample_finding(), {false, Detail::kVerbose}));
}

TEST(TextReport, of_a_finding_in_few_words) {
  expect_golden("finding_quiet", text_report(sample_finding(), {false, Detail::kQuiet}));
}

TEST(TextReport, of_a_killed_process) {
  expect_golden("kill", text_report(sample_kill(), {}));
}

TEST(TextReport, of_random_faults) {
  expect_golden("chaos", text_report(sample_chaos(), {}));
}

TEST(TextReport, tells_a_rule_once_and_its_places_in_a_line_each) {
  ResultDocument document = sample_finding();
  const Note first = document.notes.front();
  document.notes.assign(7, first);
  document.notes.insert(document.notes.begin() + 1, Note{.rule = "other", .message = "is odd"});
  for (size_t i = 2; i < 8; ++i) document.notes[i].path = fmt::format("file-{}", i);
  const std::string text = text_report(document, {});
  EXPECT_THAT(text, HasSubstr("  rename-without-fsync: state.json.tmp is renamed over state.json, "
                              "its data was never synced\n"
                              "    state.json (3 times), in Store::save at src/app.cc:36\n"
                              "    file-2 (3 times), in Store::save at src/app.cc:36\n"));
  EXPECT_THAT(text, HasSubstr("    (and 2 more places: --verbose)\n  other: is odd\n"));
}

TEST(TextReport, of_a_broken_harness) {
  ResultDocument document = sample_clean();
  document.outcome = Outcome::kHarnessBroken;
  document.exit_code = 3;
  document.coverage.clear();
  document.call_sites.clear();
  document.oracles.clear();
  document.reason =
      "the checker fails without a crash: exit status 1\n"
      "Run it on a state directory of your own first: everycrash replay --undisturbed";
  expect_golden("broken", text_report(document, {}));
}

TEST(TextReport, of_a_reason_without_a_name) {
  ResultDocument document = sample_clean();
  document.oracles = {{"", false, "app.log is appended to"}};
  EXPECT_NE(text_report(document, {}).find("Not measured\n  app.log is appended to\n"),
            std::string::npos);
}

TEST(TextReport, of_a_run_with_nothing_to_explore) {
  ResultDocument document;
  document.workload = {"/bin/true"};
  document.recorded.processes = document.recorded.threads = 1;
  document.reason = "the workload changed nothing in the state directory";
  document.exit_code = 4;
  expect_golden("nothing", text_report(document, {}));
}

TEST(TextReport, ends_in_the_command_that_reproduces_the_first_finding) {
  for (const Detail detail : {Detail::kQuiet, Detail::kNormal, Detail::kVerbose}) {
    EXPECT_THAT(text_report(sample_finding(), {false, detail}),
                EndsWith("\neverycrash replay /home/u/app/result.json 3f9a0c12\n"));
  }
}

TEST(TextReport, never_passes_control_characters_of_the_workload_on) {
  ResultDocument document = sample_finding();
  const std::string evil = "a\x1b[2Jb\x9b\r\x07";
  document.workload = {evil};
  document.reason = document.command = evil;
  document.capabilities = document.recorded.notes = document.recorded.warnings = {evil};
  document.recorded.operations[0].name = evil;
  document.call_sites[2] = {evil, evil, evil, evil, 1, 1, 0};
  document.oracles[3] = {evil, false, evil};
  document.coverage[1].model = document.coverage[1].bound = evil;
  Finding& finding = document.findings[0];
  finding.id = finding.title = finding.judge = finding.path = finding.point = evil;
  finding.explanation = finding.first_point = finding.last_point = finding.reproduce = evil;
  finding.complaints = finding.models = finding.points = {evil};
  finding.crash_operation->description = evil;
  document.notes[0].rule = document.notes[0].message = evil;
  for (Frame& frame : document.frames) {
    frame.function = frame.file = frame.module = evil;
    frame.excerpt.lines.assign(3, evil);
  }
  for (const Detail detail : {Detail::kQuiet, Detail::kNormal, Detail::kVerbose}) {
    const std::string text = text_report(document, {false, detail});
    for (const char c : text) {
      EXPECT_TRUE(c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != '\x7f'));
    }
    EXPECT_THAT(text, Not(HasSubstr("\x9b")));
  }
}

TEST(TextReport, says_that_it_was_interrupted) {
  ResultDocument document = sample_clean();
  document.interrupted = true;
  EXPECT_THAT(text_report(document, {}), HasSubstr("INTERRUPTED"));
}

TEST(TextReport, tells_many_findings_in_short_after_the_first_ten) {
  ResultDocument document = sample_finding();
  document.findings.assign(12, document.findings[0]);
  const std::string text = text_report(document, {});
  size_t blocks = 0;
  for (size_t at = 0; (at = text.find("  reproduce:", at)) != std::string::npos; ++at) ++blocks;
  EXPECT_EQ(blocks, kFindingsShown);
  EXPECT_THAT(text, HasSubstr("12 findings"));
}

TEST(TextReport, cuts_what_a_talkative_checker_says) {
  ResultDocument document = sample_finding();
  std::string complaint;
  for (int i = 0; i < 100; ++i) complaint += "line\n";
  document.findings[0].complaints = {complaint, std::string(5000, 'x')};
  EXPECT_THAT(text_report(document, {}), HasSubstr("(89 more lines: --verbose)"));
  EXPECT_LT(text_report(document, {}).size(), 5000u);
}

TEST(TextReport, shows_how_a_long_traceback_begins_and_ends) {
  ResultDocument document = sample_finding();
  document.findings[0].complaints = {"Traceback\n" + std::string(80, '\n') + "JSONDecodeError"};
  const std::string text = text_report(document, {});
  EXPECT_THAT(text, HasSubstr("checker said    Traceback\n"));
  EXPECT_THAT(text, HasSubstr("                  JSONDecodeError\n  states"));
}

TEST(TextReport, tells_the_first_lost_operations_and_counts_the_others) {
  ResultDocument document = sample_finding();
  document.findings[0].lost_operations.assign(5, {7, "write log 0+4", kNoStack});
  const auto lines = [&document](Detail detail) {
    const std::string text = text_report(document, {.detail = detail});
    size_t count = 0;
    for (size_t at = 0; (at = text.find("write log 0+4", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  EXPECT_EQ(lines(Detail::kNormal), 2u);
  EXPECT_THAT(text_report(document, {}), HasSubstr("(3 more operations: --verbose)"));
  EXPECT_EQ(lines(Detail::kVerbose), 5u);
}

TEST(TextReport, leaves_out_callers_that_are_only_an_address) {
  ResultDocument document = sample_finding();
  document.frames = {{.function = "save", .module = "/bin/app", .module_offset = 0x10},
                     {.module = "/bin/app", .module_offset = 0x20},
                     {.function = "run", .module = "/bin/app", .module_offset = 0x30},
                     {.function = "__libc_start_main", .module = "/lib/libc.so"}};
  document.stacks = {{.frames = {0, 1, 2, 3}, .user_frame = 0}};
  document.notes.clear();
  document.call_sites.clear();
  Finding& finding = document.findings[0];
  finding.lost_operations = {{7, "write log 0+4", 0}};
  finding.crash_operation = finding.kept_operation = std::nullopt;
  const std::string text = text_report(document, {});
  EXPECT_THAT(text, HasSubstr("in save in app+0x10\n"));
  EXPECT_THAT(text, HasSubstr("from run in app+0x30\n"));
  EXPECT_THAT(text, testing::Not(HasSubstr("app+0x20")));
  EXPECT_THAT(text, testing::Not(HasSubstr("__libc_start_main")));
}

TEST(TextReport, joins_notes_that_read_the_same) {
  ResultDocument document = sample_finding();
  document.notes.push_back(document.notes.front());
  EXPECT_THAT(text_report(document, {}), HasSubstr("state.json (6 times), in Store::save"));
  EXPECT_THAT(text_report(document, {.detail = Detail::kVerbose}),
              testing::Not(HasSubstr("(6 times)")));
}

TEST(TextReport, says_what_the_search_on_real_file_systems_came_to) {
  ResultDocument document = sample_finding();
  document.findings.front().real_searches = {
      {Sighting::kSeen, "xfs", "Linux 6.1", true, 2, 60, "everycrash disk shell run.trace", "", ""},
      {Sighting::kNotSeen, "btrfs", "Linux 6.1", false, 0, 60, "", "", ""},
      {.file_system = "ext4"},
      {.file_system = "ext4:nodelalloc"}};
  const std::string text = text_report(document, {});
  EXPECT_THAT(text,
              HasSubstr("  for real        seen on real xfs (Linux 6.1, default options): 2 of "
                        "60 states; everycrash disk shell run.trace\n"));
  EXPECT_THAT(text, HasSubstr("searched for and not seen on real btrfs (Linux 6.1): 60 states\n"));
  EXPECT_THAT(text, HasSubstr("not searched on a real ext4, ext4:nodelalloc (--on "
                              "ext4,ext4:nodelalloc)\n"));
}

}  // namespace
}  // namespace everycrash::reports
