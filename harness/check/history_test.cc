#include "harness/check/history.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "harness/trace/recording_for_test.h"

namespace everycrash {
namespace {

constexpr uint32_t kRewrite = O_WRONLY | O_CREAT | O_TRUNC;
constexpr uint64_t kFile = 10;

/// Of a run, by process 100, that renames TEMPORARY to f.
History history_with(const std::string& temporary, uint32_t open_flags = kRewrite) {
  Recording recording;
  recording.initial()
      .mode(0600)
      .open(temporary, kFile, open_flags, format::kCreated)
      .write(temporary, kFile, 0, "whole")
      .rename(temporary, "f", kFile);
  const Trace trace = recording.finish();
  Result<History> history = History::of(trace);
  EXPECT_TRUE(history);
  return std::move(*history);
}

TEST(History, knows_its_temporary_files_and_no_others) {
  const History history = history_with("f.tmp");
  EXPECT_TRUE(history.temporary().contains("f.tmp"));
  EXPECT_FALSE(history.temporary().contains("f"));
  EXPECT_FALSE(history.temporary().contains("g.tmp"));
}

TEST(History, knows_a_temporary_file_by_the_process_number_of_another_run) {
  const History history = history_with("f.100.tmp");
  EXPECT_TRUE(history.temporary().contains("f.4711.tmp"));
  EXPECT_FALSE(history.temporary().contains("f.old.tmp"));
  EXPECT_FALSE(history.temporary().contains("g.4711.tmp"));
}

TEST(History, judges_no_temporary_file_that_a_killed_run_has_left) {
  Recording recording;
  recording.initial()
      .open("f.4711.tmp", kFile, kRewrite, format::kCreated)
      .write("f.4711.tmp", kFile, 0, "half");
  const Trace trace = recording.finish();
  const Result<History> alone = History::of(trace);
  ASSERT_TRUE(alone);
  EXPECT_TRUE(alone->judged().contains("f.4711.tmp"));
  const Result<History> later = History::of(trace, history_with("f.100.tmp").temporary());
  ASSERT_TRUE(later);
  EXPECT_FALSE(later->judged().contains("f.4711.tmp"));
}

TEST(History, takes_a_line_for_told_once_it_is_whole) {
  Recording recording;
  recording.initial()
      .print("saved")
      .print(" 1")
      .print("\n")
      .print("saving 2 ... ")
      .open("f", kFile, kRewrite, format::kCreated)
      .write("f", kFile, 0, "two")
      .print("done\n");
  const Trace trace = recording.finish();
  const Result<History> history = History::of(trace);
  ASSERT_TRUE(history);
  std::vector<size_t> bytes;
  for (const Print& print : history->prints()) bytes.push_back(print.bytes);
  EXPECT_EQ(bytes, (std::vector<size_t>{8, 21, 26}));
}

TEST(History, takes_no_other_number_for_one_of_a_process) {
  EXPECT_FALSE(history_with("f.2026.tmp").temporary().contains("f.4711.tmp"));
}

TEST(History, knows_a_temporary_file_by_other_random_letters) {
  EXPECT_TRUE(history_with("f.aB3xYz").temporary().contains("f.Qw9rTu"));
}

History history_of(Recording& recording) {
  const Trace trace = recording.finish();
  Result<History> history = History::of(trace);
  EXPECT_TRUE(history);
  return std::move(*history);
}

TEST(History, judges_a_copy_that_ends_with_a_write_of_nothing) {
  Recording recording;
  recording.initial().open("f", kFile, kRewrite, format::kCreated).write("f", kFile, 0, "whole");
  const History history = history_of(recording.write("f", kFile, 0, ""));
  EXPECT_TRUE(history.judged().contains("f"));
}

TEST(History, judges_what_is_put_in_place_in_whatever_order_it_was_written) {
  Recording recording;
  recording.initial().open("t", kFile, O_RDWR | O_CREAT, format::kCreated);
  recording.write("t", kFile, 0, "0000whole").write("t", kFile, 0, "1234").rename("t", "f", kFile);
  EXPECT_TRUE(history_of(recording).judged().contains("f"));
}

TEST(History, does_not_judge_what_is_updated_where_it_was_put) {
  Recording recording;
  recording.initial().open("t", kFile, kRewrite, format::kCreated).write("t", kFile, 0, "whole");
  recording.rename("t", "f", kFile).write("f", kFile, 0, "1");
  EXPECT_TRUE(history_of(recording).not_judged().contains("f"));
}

TEST(History, does_not_judge_a_log_that_is_renamed) {
  Recording recording;
  recording.initial().open("log", kFile, O_WRONLY | O_CREAT | O_APPEND, format::kCreated);
  recording.add(Kind::kWrite, "log", "", kFile, "line", format::kAppend);
  EXPECT_TRUE(history_of(recording.rename("log", "log.1", kFile)).not_judged().contains("log.1"));
}

TEST(History, knows_a_temporary_file_of_chance_without_a_mark) {
  EXPECT_TRUE(history_with("XX9aVzbx", kRewrite | O_EXCL).temporary().contains("XXQw9rTu"));
  EXPECT_FALSE(history_with("XX9aVzbx").temporary().contains("XXQw9rTu"))
      << "not made as by mkstemp";
}

}  // namespace
}  // namespace everycrash
