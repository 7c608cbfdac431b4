#include "harness/check/history.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "harness/trace/recording_for_test.h"

namespace everycrash {
namespace {

constexpr uint32_t kRewrite = O_WRONLY | O_CREAT | O_TRUNC;
constexpr uint64_t kFile = 10;

/// Of a run, by process 100, that renames TEMPORARY to f.
History history_with(const std::string& temporary) {
  Recording recording;
  recording.initial()
      .open(temporary, kFile, kRewrite, format::kCreated)
      .write(temporary, kFile, 0, "whole")
      .rename(temporary, "f", kFile);
  const Trace trace = recording.finish();
  Result<History> history = History::of(trace);
  EXPECT_TRUE(history);
  return std::move(*history);
}

TEST(History, knows_its_temporary_files_and_no_others) {
  const History history = history_with("f.tmp");
  EXPECT_TRUE(history.is_temporary("f.tmp"));
  EXPECT_FALSE(history.is_temporary("f"));
  EXPECT_FALSE(history.is_temporary("g.tmp"));
}

TEST(History, knows_a_temporary_file_by_the_process_number_of_another_run) {
  const History history = history_with("f.100.tmp");
  EXPECT_TRUE(history.is_temporary("f.4711.tmp"));
  EXPECT_FALSE(history.is_temporary("f.old.tmp"));
  EXPECT_FALSE(history.is_temporary("g.4711.tmp"));
}

TEST(History, takes_no_other_number_for_one_of_a_process) {
  EXPECT_FALSE(history_with("f.2026.tmp").is_temporary("f.4711.tmp"));
}

TEST(History, knows_a_temporary_file_by_other_random_letters) {
  EXPECT_TRUE(history_with("f.aB3xYz").is_temporary("f.Qw9rTu"));
}

}  // namespace
}  // namespace everycrash
