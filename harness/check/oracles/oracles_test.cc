
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "harness/check/oracles/acknowledged.h"
#include "harness/check/oracles/half_file.h"
#include "harness/trace/recording_for_test.h"

namespace everycrash {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

constexpr uint32_t kRewrite = O_WRONLY | O_CREAT | O_TRUNC;
constexpr uint64_t kFile = 10;  // inode numbers
constexpr uint64_t kTemp = 11;
constexpr uint64_t kEnd = static_cast<uint64_t>(-1);  // a record
/// What is new is held against the program, too.
constexpr Facts<HalfFileFact> kWanted{HalfFileFact::kAsked};

/// A trace that a test writes, and the states it goes through.
class OraclesTest : public testing::Test {
 protected:
  void put(const std::string& path, const std::string& content) {
    std::ofstream(recording_.tree() / path) << content;
  }
  uint64_t inode(const std::string& path) {
    struct stat info {};
    EXPECT_EQ(stat((recording_.tree() / path).c_str(), &info), 0);
    return info.st_ino;
  }

  /// Ends the recording.
  void finish() {
    trace_.emplace(recording_.finish());
    Result<History> history = History::of(*trace_);
    ASSERT_TRUE(history) << history.error().message;
    history_.emplace(std::move(*history));
  }

  /// Messages of the half-file oracle, each with the number of operations done before.
  std::vector<std::pair<int, std::string>> half_files() {
    std::vector<std::pair<int, std::string>> messages;
    for_each_state([&](int number, const FileSystem& state, size_t) {
      for (const Complaint& half : find_half_files(*history_, state, kEnd, {}, kWanted)) {
        messages.emplace_back(number, half.message);
      }
    });
    return messages;
  }

  /// What is said of the final tree with CONTENT in PATH.
  std::string message_for(const std::string& path, const std::string& content) {
    FileSystem state = history_->final_tree();
    const NodeId file = state.find(path);
    state.set_size(file, 0);
    state.write(file, 0, content);
    const std::vector<Complaint> found = find_half_files(*history_, state, kEnd, {}, kWanted);
    return found.empty() ? "" : found.front().message;
  }

  template <typename Function>
  void for_each_state(Function function) {
    Result<FileSystem> state = FileSystem::initial(*trace_);
    ASSERT_TRUE(state);
    size_t printed = 0;
    int number = 0;
    function(number, *state, printed);
    for (const Operation& operation : trace_->records()) {
      if (operation.kind == Kind::kInitial) continue;
      ASSERT_TRUE(state->apply(operation));
      if (operation.kind == Kind::kPrint) printed += operation.payload.size();
      function(++number, *state, printed);
    }
  }

  std::string not_judged(const std::string& path) {
    const auto found = history_->not_judged().find(path);
    return found == history_->not_judged().end() ? "" : describe(found->second);
  }

  Recording recording_;
  std::optional<Trace> trace_;
  std::optional<History> history_;
};

TEST_F(OraclesTest, accept_a_replacement_by_rename) {
  put("f", "old");
  recording_.initial()
      .open("f.tmp", kTemp, kRewrite, format::kCreated)
      .write("f.tmp", kTemp, 0, "new ")
      .write("f.tmp", kTemp, 4, "content")
      .rename("f.tmp", "f", kTemp);
  finish();
  EXPECT_THAT(half_files(), IsEmpty());
  EXPECT_EQ(history_->judged().at("f").contents(), 2u);
}

TEST_F(OraclesTest, do_not_miss_a_spare_copy_while_the_file_itself_is_whole) {
  put("f", "old");
  put("f.old", "older");
  recording_.initial()
      .unlink("f.old", inode("f.old"))
      .add(Kind::kLink, "f", "f.old", inode("f"), "")
      .open("f.tmp", kTemp, kRewrite, format::kCreated)
      .write("f.tmp", kTemp, 0, "new")
      .rename("f.tmp", "f", kTemp);
  finish();
  EXPECT_THAT(half_files(), IsEmpty());
}

TEST_F(OraclesTest, miss_a_spare_copy_while_the_file_itself_is_half) {
  put("f", "old");
  put("f.old", "older");
  recording_.initial()
      .open("f", inode("f"), kRewrite, format::kTruncated)
      .unlink("f.old", inode("f.old"))
      .write("f", inode("f"), 0, "new")
      .add(Kind::kLink, "f", "f.old", inode("f"), "");
  finish();
  EXPECT_THAT(half_files(),
              ElementsAre(Pair(1, HasSubstr("f is empty")), Pair(2, HasSubstr("f is empty")),
                          Pair(2, HasSubstr("f.old is missing"))));
}

TEST_F(OraclesTest, reject_every_state_within_a_rewrite_in_place) {
  put("f", "old");
  recording_.initial()
      .open("f", inode("f"), kRewrite, format::kTruncated)
      .write("f", inode("f"), 0, "new ")
      .write("f", inode("f"), 4, "content");
  finish();
  EXPECT_THAT(half_files(), ElementsAre(Pair(1, "f is empty; whole it has 3, 11 bytes"),
                                        Pair(2, "f is half written: it ends at byte 4 of 11")));
}

TEST_F(OraclesTest, tell_zeros_in_place_of_content) {
  recording_.initial()
      .open("f", kFile, kRewrite, format::kCreated)
      .write("f", kFile, 0, "0123456789");
  finish();
  EXPECT_EQ(message_for("f", std::string(10, '\0')), "f is half written: it holds 10 zero bytes");
  EXPECT_EQ(message_for("f", "01234" + std::string(5, '\0')),
            "f is half written: bytes 5 to 9 are zero");
  EXPECT_EQ(message_for("f", "0" + std::string(1, '\0') + "234"),
            "f is half written: it ends at byte 5 of 10, and byte 1 is zero");
  EXPECT_EQ(message_for("f", "0" + std::string(1, '\0') + "23456" + '\0' + "89"),
            "f is half written: between bytes 1 and 7 it has zeros in place of its content");
}

TEST_F(OraclesTest, tell_where_new_content_goes_over_into_old) {
  put("f", "old content");
  recording_.initial()
      .open("f", inode("f"), kRewrite, format::kTruncated)
      .write("f", inode("f"), 0, "NEW CONTENT");
  finish();
  EXPECT_EQ(message_for("f", "NEW content"),
            "f is half written: it holds the first 4 bytes of its new content, then the old");
  EXPECT_EQ(message_for("f", "old CONTENT"),
            "f is half written: it holds the first 4 bytes of its old content, then the new");
  EXPECT_EQ(message_for("f", "NEW CONTENT\n"),
            "f is half written: behind its 11 bytes comes 1 more byte");
  EXPECT_EQ(message_for("f", "something"),
            "f is half written: its 9 bytes are none of its whole versions, which have 11 bytes");
}

TEST_F(OraclesTest, tell_which_file_beside_a_broken_one_has_its_content) {
  put("f", "old");
  recording_.initial()
      .rename("f", "f~", inode("f"))
      .open("f", kFile, kRewrite, format::kCreated)
      .write("f", kFile, 0, "newer");
  finish();
  EXPECT_THAT(half_files(),
              ElementsAre(Pair(1, "f is missing; f~ holds what it was before the run, whole"),
                          Pair(2,
                               "f is empty; whole it has 3, 5 bytes; f~ holds what it was "
                               "before the run, whole")));
}

TEST_F(OraclesTest, take_no_other_file_with_the_same_content_for_a_copy) {
  put("f", "same");
  put("other", "same");
  recording_.initial()
      .open("f", inode("f"), kRewrite, format::kTruncated)
      .write("f", inode("f"), 0, "newer");
  finish();
  EXPECT_THAT(half_files(), ElementsAre(Pair(1, "f is empty; whole it has 4, 5 bytes")));
}

TEST_F(OraclesTest, take_an_ftruncate_for_a_rewrite_too) {
  put("f", "old");
  recording_.initial()
      .open("f", inode("f"), O_RDWR)
      .add(Kind::kTruncate, "f", "", inode("f"), "")
      .write("f", inode("f"), 0, "new");
  finish();
  EXPECT_THAT(half_files(), ElementsAre(Pair(2, HasSubstr("f is empty"))));
}

TEST_F(OraclesTest, reject_a_new_file_while_it_is_written_but_not_before) {
  recording_.initial()
      .open("f", kFile, kRewrite, format::kCreated)
      .write("f", kFile, 0, "new ")
      .write("f", kFile, 4, "content");
  finish();
  EXPECT_THAT(half_files(), ElementsAre(Pair(1, HasSubstr("empty")), Pair(2, HasSubstr("half"))));
}

TEST_F(OraclesTest, judge_no_log_by_the_name_that_it_is_rotated_to) {
  put("log", "a\n");
  put("log.1", "0\n");
  recording_.initial()
      .open("log", inode("log"), O_WRONLY | O_APPEND)
      .write("log", inode("log"), 2, "one\n")
      .rename("log", "log.1", inode("log"));
  finish();
  EXPECT_FALSE(history_->judged().contains("log.1"));
}

TEST_F(OraclesTest, take_a_file_for_new_until_it_was_finished_once) {
  recording_.initial()
      .open("cfg", kFile, kRewrite, format::kCreated)
      .write("cfg", kFile, 0, "init")
      .open("cfg.tmp", kFile + 1, kRewrite, format::kCreated)
      .write("cfg.tmp", kFile + 1, 0, "v1")
      .rename("cfg.tmp", "cfg", kFile + 1);
  finish();
  const uint64_t created = trace_->records()[trace_->records().size() - 5].sequence;
  FileSystem emptied;
  emptied.set_entry(kRootNode, emptied.name_id("cfg"), emptied.create({.mode = S_IFREG | 0644}));
  EXPECT_THAT(find_half_files(*history_, emptied, created, {}, kWanted), SizeIs(1));
  EXPECT_THAT(find_half_files(*history_, emptied, created, {}, {}), IsEmpty());
  EXPECT_THAT(find_half_files(*history_, emptied, created + 4, {}, {}), SizeIs(1));
}

TEST_F(OraclesTest, take_a_file_that_is_synced_right_after_its_close_for_new_until_then) {
  for (const bool printed : {false, true}) {
    Recording recording;
    recording.initial()
        .open("copy", kFile, kRewrite, format::kCreated)
        .write("copy", kFile, 0, "whole")
        .add(Kind::kClose, "copy", "", kFile, "");
    if (printed) recording.print("copied");
    recording.fsync("copy", kFile).fsync("copy", kFile);
    const Trace trace = recording.finish();
    const History history = *History::of(trace);
    FileSystem zeros;
    zeros.set_entry(kRootNode, zeros.name_id("copy"), zeros.create({.mode = S_IFREG | 0644}));
    const uint64_t last = trace.records().back().sequence;
    const auto never_finished = [&](uint64_t record) {
      EXPECT_THAT(find_half_files(history, zeros, record, {}, kWanted), SizeIs(1));
      return find_half_files(history, zeros, record, {}, {}).empty();
    };
    EXPECT_FALSE(never_finished(last - 1)) << "the first sync";
    EXPECT_EQ(never_finished(last - 2), !printed) << "its close, and what was printed then";
  }
}

TEST_F(OraclesTest, know_a_half_file_that_was_never_finished) {
  put("old", "1");
  recording_.initial()
      .open("new", kFile, kRewrite, format::kCreated)
      .open("old", inode("old"), kRewrite, format::kTruncated)
      .write("new", kFile, 0, "2")
      .write("old", inode("old"), 0, "2");
  finish();
  constexpr uint64_t kEmptied = 4;  // after two initial records and both openings
  for_each_state([&](int number, const FileSystem& state, size_t) {
    if (number != 2) return;
    EXPECT_THAT(find_half_files(*history_, state, kEmptied, {}, kWanted), SizeIs(2));
    const std::vector<Complaint> finished = find_half_files(*history_, state, kEmptied, {}, {});
    ASSERT_THAT(finished, SizeIs(1));
    EXPECT_EQ(finished[0].path, "old");
  });
}

TEST_F(OraclesTest, reject_the_absence_of_a_file_that_is_unlinked_and_made_again) {
  put("f", "old");
  recording_.initial()
      .unlink("f", inode("f"))
      .open("f", kFile, kRewrite, format::kCreated)
      .write("f", kFile, 0, "new");
  finish();
  EXPECT_THAT(half_files(),
              ElementsAre(Pair(1, HasSubstr("missing")), Pair(2, HasSubstr("empty"))));
}

TEST_F(OraclesTest, accept_what_a_file_held_before_another_took_its_place) {
  recording_.initial()
      .open("f", kFile, kRewrite, format::kCreated)
      .write("f", kFile, 0, "first")
      .open("f.tmp", kTemp, kRewrite, format::kCreated)
      .write("f.tmp", kTemp, 0, "second")
      .rename("f.tmp", "f", kTemp);
  finish();
  EXPECT_THAT(half_files(), ElementsAre(Pair(1, HasSubstr("empty"))));
}

TEST_F(OraclesTest, accept_what_was_there_when_a_writer_closed_it) {
  put("f", "");
  recording_.initial()
      .open("f", inode("f"), kRewrite)
      .add(Kind::kClose, "f", "", inode("f"), "")  // a shell's, after dup2
      .write("f", inode("f"), 0, "one")
      .add(Kind::kClose, "f", "", inode("f"), "")
      .write("f", inode("f"), 3, "two")
      .write("f", inode("f"), 6, "three");
  finish();
  EXPECT_THAT(half_files(), ElementsAre(Pair(5, HasSubstr("byte 6 of 11"))));
}

TEST_F(OraclesTest, allow_an_absence_that_was_told) {
  put("f", "old");
  recording_.initial()
      .unlink("f", inode("f"))
      .print("removed\n")
      .open("f.tmp", kTemp, kRewrite, format::kCreated)
      .write("f.tmp", kTemp, 0, "new")
      .rename("f.tmp", "f", kTemp);
  finish();
  EXPECT_THAT(half_files(), IsEmpty());
}

TEST_F(OraclesTest, never_judge_a_file_that_the_run_takes_away) {
  recording_.initial()
      .open("lock", kFile, kRewrite, format::kCreated)
      .write("lock", kFile, 0, "1")
      .write("lock", kFile, 1, "2")
      .unlink("lock", kFile);
  finish();
  EXPECT_THAT(half_files(), IsEmpty());
}

TEST_F(OraclesTest, leave_appended_files_alone) {
  put("log", "old\n");
  recording_.initial()
      .open("log", inode("log"), O_WRONLY | O_APPEND)
      .write("log", inode("log"), 4, "more\n");
  finish();
  EXPECT_THAT(half_files(), IsEmpty());
  EXPECT_EQ(not_judged("log"), "is appended to");
}

TEST_F(OraclesTest, leave_files_alone_that_are_updated_in_place) {
  put("db", "0123456789");
  recording_.initial().open("db", inode("db"), O_RDWR).write("db", inode("db"), 2, "xx");
  finish();
  EXPECT_THAT(half_files(), IsEmpty());
  EXPECT_EQ(not_judged("db"), "is updated in place");
}

TEST_F(OraclesTest, leave_a_new_database_alone) {
  recording_.initial()
      .open("db", kFile, O_RDWR | O_CREAT, format::kCreated)
      .write("db", kFile, 0, "page 0")
      .write("db", kFile, 6, "page 1");
  finish();
  EXPECT_THAT(half_files(), IsEmpty());
  EXPECT_EQ(not_judged("db"), "is updated in place");
}

TEST_F(OraclesTest, leave_files_alone_that_go_on_after_an_fsync_or_a_print) {
  recording_.initial()
      .open("wal", kFile, kRewrite, format::kCreated)
      .open("log", kTemp, kRewrite, format::kCreated)
      .write("wal", kFile, 0, "one")
      .fsync("wal", kFile)
      .write("wal", kFile, 3, "two")
      .print("ok\n")
      .write("log", kTemp, 0, "later");
  finish();
  EXPECT_THAT(half_files(), IsEmpty());
  EXPECT_THAT(not_judged("wal"), HasSubstr("after an fsync"));
  EXPECT_THAT(not_judged("log"), HasSubstr("after something was printed"));
}

TEST_F(OraclesTest, leave_a_file_alone_that_goes_on_while_others_change) {
  recording_.initial()
      .open("log", kFile, kRewrite, format::kCreated)
      .write("log", kFile, 0, "starting\n")
      .open("f", kTemp, kRewrite, format::kCreated)
      .write("log", kFile, 9, "done\n");
  finish();
  EXPECT_THAT(half_files(), IsEmpty());
  EXPECT_THAT(not_judged("log"), HasSubstr("after other files were changed"));
}

TEST_F(OraclesTest, follow_files_through_renamed_folders) {
  std::filesystem::create_directory(recording_.tree() / "new");
  std::filesystem::create_directory(recording_.tree() / "current");
  put("new/f", "2");
  put("current/f", "1");
  const uint64_t current = inode("current");
  const uint64_t next = inode("new");
  recording_.initial().rename("current", "old", current).rename("new", "current", next);
  finish();
  EXPECT_THAT(half_files(), ElementsAre(Pair(1, HasSubstr("current/f is missing"))));
}

class PromisesTest : public OraclesTest {
 protected:
  /// Complaints about STATE when all had been printed.
  std::vector<Complaint> complaints(const FileSystem& state, const Acknowledgement& what = {},
                                    uint64_t record = UINT64_MAX) {
    Result<Promises> promises = Promises::find(*history_, what);
    EXPECT_TRUE(promises) << promises.error().message;
    return find_broken_promises(*history_, *promises, state, record, history_->printed().size(),
                                {});
  }
  FileSystem with_content(const std::string& content) {
    FileSystem state = *FileSystem::initial(*trace_);
    const NodeId file = state.find("f");
    state.set_size(file, 0);
    state.write(file, 0, content);
    return state;
  }
  void record_two_saves() {
    put("f", "zero");
    recording_.initial()
        .open("f", inode("f"), kRewrite, format::kTruncated)
        .write("f", inode("f"), 0, "one")
        .print("saved one\n")
        .print("an aside\n")
        .open("f", inode("f"), kRewrite, format::kTruncated)
        .write("f", inode("f"), 0, "two");
    finish();
  }
};

TEST_F(PromisesTest, hold_in_every_state_that_a_kill_leaves) {
  record_two_saves();
  Result<Promises> promises = Promises::find(*history_, {});
  for_each_state([&](int number, const FileSystem& state, size_t printed) {
    EXPECT_THAT(find_broken_promises(*history_, *promises, state, 1, printed, {}), IsEmpty())
        << number;
  });
}

TEST_F(PromisesTest, are_broken_by_an_older_version) {
  record_two_saves();
  const std::vector<Complaint> found = complaints(with_content("zero"));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].message, "f is back at an older version after \"an aside\" was printed");
  EXPECT_EQ(found[0].path, "f");
}

TEST_F(PromisesTest, of_the_exit_are_broken_only_when_the_run_is_over) {
  record_two_saves();
  const Acknowledgement exit{Acknowledgement::What::kExit, ""};
  const std::vector<Complaint> found = complaints(with_content("one"), exit);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].message, "f is back at an older version after the run had ended with success");
  EXPECT_THAT(complaints(with_content("one"), exit, history_->end() - 1), IsEmpty());
  EXPECT_THAT(complaints(with_content("two"), exit), IsEmpty());
}

TEST_F(PromisesTest, are_kept_by_the_promised_and_a_later_version) {
  record_two_saves();
  EXPECT_THAT(complaints(with_content("one")), IsEmpty());
  EXPECT_THAT(complaints(with_content("two")), IsEmpty());
}

TEST_F(PromisesTest, are_broken_by_absence) {
  record_two_saves();
  FileSystem state = *FileSystem::initial(*trace_);
  state.clear_entry(kRootNode, state.name_id("f"));
  EXPECT_THAT(complaints(state)[0].message, HasSubstr("f is gone"));
}

TEST_F(PromisesTest, are_only_the_lines_that_match) {
  record_two_saves();
  using What = Acknowledgement::What;
  EXPECT_THAT(complaints(with_content("zero"), {What::kMatchingLines, "^saved"})[0].message,
              HasSubstr("after \"saved one\""));
  EXPECT_THAT(complaints(with_content("zero"), {What::kMatchingLines, "^other"}), IsEmpty());
  EXPECT_THAT(complaints(with_content("zero"), {What::kNothing, ""}), IsEmpty());
}

TEST_F(PromisesTest, need_a_pattern_that_is_one) {
  record_two_saves();
  Result<Promises> promises =
      Promises::find(*history_, {Acknowledgement::What::kMatchingLines, "("});
  ASSERT_FALSE(promises);
  EXPECT_EQ(promises.error().kind, ErrorKind::kUsage);
}

}  // namespace
}  // namespace everycrash
