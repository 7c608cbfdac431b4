#include "reports/result.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "harness/base/folder_for_test.h"
#include "reports/result_json.h"
#include "reports/testdata/sample.h"

namespace everycrash::reports {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string error_of(std::string_view text) {
  Result<ResultDocument> document = parse_document(text, "r.json");
  return document ? "" : document.error().message;
}

TEST(ResultJson, reads_back_what_was_written) {
  for (const ResultDocument& document : {ResultDocument{}, sample_clean(), sample_finding()}) {
    Result<ResultDocument> again = parse_document(to_json(document), "r.json");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_TRUE(*again == document);
    EXPECT_EQ(to_json(*again), to_json(document));
  }
}

TEST(ResultJson, reads_back_what_a_state_looks_like) {
  ResultDocument document = sample_finding();
  Evidence& evidence = document.findings.front().evidence.emplace();
  evidence.lost = {{12, 1, 2, {"bytes 0 to 812 of state.json.tmp"}}};
  evidence.tree = {{"state.json", TreeEntry{"file", 812, 0644, "", 1}, std::nullopt, std::nullopt}};
  evidence.file =
      FileVersions{"state.json", 16, FileBytes{3, "b2xk"}, 4, std::nullopt, 0, FileBytes{}};
  evidence.after_what = "recovery";
  document.durability = {{CrashKind::kPower, "xfs", {3, kNeverDurable}}};
  Result<ResultDocument> again = parse_document(to_json(document, Layout::kCompact), "r.json");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(*again == document);
}

TEST(ResultJson, reads_back_effects_and_chaos) {
  ResultDocument document = sample_chaos();
  document.effects = {{"charge order-17", 1, true, false, {{CrashKind::kPower, "xfs", 2, 1}}},
                      {"mail x", 3, false, true, {}}};
  document.effects_left_out = 4;
  Result<ResultDocument> again = parse_document(to_json(document), "r.json");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(*again == document);
}

TEST(ResultJson, reads_back_operations_and_searches_on_real_file_systems) {
  ResultDocument document = sample_finding();
  Finding& finding = document.findings.front();
  finding.lost_operations.front().kind = "write";
  finding.lost_operations.front().path = "state.json.tmp";
  finding.crash_operation->detail = "exchange";
  finding.crash_operation->events = {{OutsideEvent::Kind::kEffect, "charge order-17", true},
                                     {OutsideEvent::Kind::kStep, "saved", false}};
  document.operations.front().events = finding.crash_operation->events;
  finding.run_end = "exit status 1";
  finding.effects = {"charge order-17"};
  finding.real_searches = {
      {Sighting::kSeen, "xfs", "Linux 6.1", true, 2, 60, "everycrash disk shell", "a.img", ""},
      {Sighting::kNotSearched, "btrfs", "Linux 6.1", false, 0, 0, "", "", "no time was left"},
      {.file_system = "ext4"}};
  const Result<ResultDocument> again = parse_document(to_json(document), "r.json");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(*again == document);
}

TEST(ResultJson, refuses_a_word_that_means_nothing) {
  ResultDocument document = sample_finding();
  document.findings.front().real_searches = {{.file_system = "ext4"}};
  EXPECT_THAT(error_of(replaced(to_json(document), "\"not asked\"", "\"dreamt of\"")),
              HasSubstr("real_searches[0].sighting says not whether"));
}

TEST(ResultJson, refuses_a_durability_of_other_operations) {
  ResultDocument document = sample_finding();
  document.durability = {{CrashKind::kPower, "xfs", {1}}};
  EXPECT_THAT(error_of(to_json(document)), HasSubstr("durability under xfs"));
}

TEST(ResultJson, holds_no_clock_unless_given) {
  ResultDocument document = sample_clean();
  document.elapsed_ms.reset();
  EXPECT_THAT(to_json(document), testing::Not(HasSubstr("elapsed")));
}

TEST(ResultJson, keeps_every_seed) {
  ResultDocument document = sample_clean();
  document.seed = UINT64_MAX;
  EXPECT_THAT(to_json(document), HasSubstr("\"18446744073709551615\""));
  EXPECT_EQ(parse_document(to_json(document), "r.json")->seed, UINT64_MAX);
}

ResultDocument a_shard() {
  ResultDocument document = sample_finding();
  document.shard = "2/3";
  ShardMaterial& material = document.shard_material.emplace();
  material.bounds.lost_fsync = "all";
  material.bounds.tear_bytes = 512;
  material.complaints = {{}, {{"half file", "violated", "file", "is cut"}}};
  material.states = {{"00112233445566778899aabbccddeeff", 1}};
  return document;
}

TEST(ResultJson, keeps_what_a_shard_carries) {
  const Result<ResultDocument> again = parse_document(to_json(a_shard()), "r.json");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(*again == a_shard());
}

TEST(ResultJson, the_whole_carries_nothing_of_shards) {
  const std::string whole = to_json(sample_finding());
  for (const char* member : {"\"shard\"", "shard_material"}) {
    EXPECT_THAT(to_json(a_shard()), HasSubstr(member));
    EXPECT_THAT(whole, testing::Not(HasSubstr(member)));
  }
}

TEST(ResultJson, refuses_a_verdict_without_complaints) {
  ResultDocument document = a_shard();
  document.shard_material->states[0].complaints = 2;
  EXPECT_THAT(error_of(to_json(document)), HasSubstr("complaints that are not there"));
}

TEST(ResultJson, writes_bytes_that_are_no_utf8_as_escapes) {
  ResultDocument document;
  document.state_directory = "/tmp/\xff\xc3\xa9";
  EXPECT_THAT(to_json(document), HasSubstr("/tmp/\\\\xff\xc3\xa9"));
}

TEST(ResultJson, refuses_what_is_no_json) {
  const std::string whole = to_json(sample_finding());
  for (size_t size = 0; size + 2 < whole.size(); size += 97) {
    EXPECT_THAT(error_of(whole.substr(0, size)), AllOf(HasSubstr("r.json"), HasSubstr("damaged")));
  }
}

TEST(ResultJson, tells_damage_without_the_names_of_a_library) {
  EXPECT_THAT(error_of("{\"schema\":"), AllOf(HasSubstr("is damaged: parse error at line 1"),
                                              testing::Not(HasSubstr("json.exception"))));
}

TEST(ResultJson, refuses_another_tools_file) {
  EXPECT_THAT(error_of("import json\n"),
              HasSubstr("not an everycrash result (it is no JSON object)"));
  EXPECT_THAT(error_of("{}"), HasSubstr("not an everycrash result"));
  EXPECT_THAT(error_of("[1]"), HasSubstr("not an everycrash result"));
  EXPECT_THAT(error_of(R"({"schema": 7})"), HasSubstr("not an everycrash result"));
  EXPECT_THAT(error_of(R"({"schema": "sarif/2"})"), HasSubstr("not an everycrash result"));
}

TEST(ResultJson, refuses_a_schema_from_the_future) {
  const std::string text = replaced(to_json(sample_clean()), "result/1", "result/2");
  EXPECT_THAT(error_of(text), AllOf(HasSubstr("everycrash-result/2"), HasSubstr("reads")));
}

TEST(ResultJson, names_the_member_that_is_wrong) {
  const std::string whole = to_json(sample_finding());
  EXPECT_THAT(error_of(replaced(whole, "\"judge\"", "\"jugde\"")),
              HasSubstr("findings[0].judge is missing"));
  EXPECT_THAT(error_of(replaced(whole, "\"exit_code\": 1", "\"exit_code\": \"1\"")),
              HasSubstr("exit_code is not a whole number"));
  EXPECT_THAT(error_of(replaced(whole, "\"exit_code\": 1", "\"exit_code\": 5000000000")),
              HasSubstr("exit_code is out of range"));
  EXPECT_THAT(error_of(replaced(whole, "\"violated\"", "\"fine\"")),
              HasSubstr("verdict is no verdict"));
  EXPECT_THAT(error_of(replaced(whole, "\"seed\": \"", "\"seed\": \"-")), HasSubstr("seed"));
}

TEST(ResultJson, refuses_an_index_that_points_nowhere) {
  ResultDocument document = sample_finding();
  document.stacks[0].frames[0] = 99;
  EXPECT_THAT(error_of(to_json(document)), HasSubstr("stacks[0] names a frame"));
  document = sample_finding();
  document.findings[0].crash_operation->stack = 99;
  EXPECT_THAT(error_of(to_json(document)), HasSubstr("names a stack that is not there"));
}

TEST(ResultJson, ignores_members_that_it_does_not_know) {
  const std::string text =
      replaced(to_json(sample_clean()), "\"kernel\"", "\"colour_of_the_sky\": [1], \"kernel\"");
  EXPECT_EQ(error_of(text), "");
}

class ResultFile : public testing::Test {
 protected:
  FolderForTest directory_;
};

TEST_F(ResultFile, is_written_whole_and_read_back) {
  const std::filesystem::path file = directory_ / "result.json";
  std::ofstream(file) << "an older one";
  ASSERT_TRUE(write_document(sample_finding(), file));
  Result<ResultDocument> again = read_document(file);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(*again == sample_finding());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory_.path()), {}), 1)
      << "a temporary file was left";
}

TEST_F(ResultFile, is_written_through_a_link_and_does_not_replace_it) {
  const std::filesystem::path link = directory_ / "link";
  std::filesystem::create_symlink("target", link);
  ASSERT_TRUE(write_document(sample_clean(), link));
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_TRUE(read_document(directory_ / "target"));
}

TEST_F(ResultFile, says_where_it_could_not_be_written) {
  Status ok = write_document(sample_clean(), directory_ / "no/such/folder.json");
  ASSERT_FALSE(ok);
  EXPECT_THAT(ok.error().message, HasSubstr("no/such/folder.json: No such file"));
}

TEST_F(ResultFile, that_does_not_exist_is_wrong_usage) {
  Result<ResultDocument> document = read_document(directory_ / "none.json");
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().kind, ErrorKind::kUsage);
}

TEST_F(ResultFile, that_is_a_folder_is_wrong_usage) {
  Result<ResultDocument> document = read_document(directory_.path());
  ASSERT_FALSE(document);
  EXPECT_THAT(document.error().message, HasSubstr("Is a directory"));
}

TEST(StackTable, keeps_equal_frames_and_stacks_once) {
  ResultDocument document;
  StackTable table(document);
  const Frame save{"save", "/bin/app", 16, "app.c", 10, 2, {}};
  const Frame main{"main", "/bin/app", 32, "app.c", 20, 2, {}};
  EXPECT_EQ(table.add({}, 0), kNoStack);
  EXPECT_EQ(table.add({save, main}, 0), 0);
  EXPECT_EQ(table.add({main}, 0), 1);
  EXPECT_EQ(table.add({save, main}, 0), 0);
  EXPECT_EQ(document.frames.size(), 2u);
  EXPECT_EQ(document.stacks.size(), 2u);
}

}  // namespace
}  // namespace everycrash::reports
