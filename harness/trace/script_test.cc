#include "harness/trace/script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "harness/base/folder_for_test.h"
#include "harness/trace/trace.h"
#include "harness/trace/trace_writer.h"

namespace everycrash {
namespace {

using testing::HasSubstr;

/// LINE, FUNCTION and FILE as a trace has them.
std::string frame(const std::string& line, const std::string& function, const std::string& file) {
  return line + '\0' + function + '\0' + file + '\0';
}

class Script : public testing::Test {
 protected:
  Script() {
    Result<TraceWriter> writer = TraceWriter::create(file(), 8 << 20, "/state", {1, 2});
    EXPECT_TRUE(writer);
    writer_ = std::make_unique<TraceWriter>(std::move(*writer));
  }

  [[nodiscard]] std::filesystem::path file() const { return directory_ / "t.trace"; }

  uint64_t program(int32_t process, const std::string& path, const std::string& folder,
                   const std::string& arguments) {
    format::RecordHeader record = {};
    record.kind = static_cast<uint16_t>(Kind::kProcess);
    record.process = process;
    return *writer_->append(record, path, folder, arguments);
  }
  void start(int32_t process, uint64_t by, const std::string& frames, ScriptLanguage language) {
    format::RecordHeader record = {};
    record.kind = static_cast<uint16_t>(Kind::kStart);
    record.process = process;
    record.other_offset = static_cast<int64_t>(by);
    record.mode = static_cast<uint32_t>(language);
    EXPECT_TRUE(writer_->append(record, "/bin/x", "", frames));
  }
  uint64_t stack(uint64_t program, int64_t addresses, const std::string& payload,
                 ScriptLanguage language) {
    format::RecordHeader record = {};
    record.kind = static_cast<uint16_t>(Kind::kStack);
    record.length = addresses;
    record.other_offset = static_cast<int64_t>(program);
    record.mode = static_cast<uint32_t>(language);
    return *writer_->append(record, "", "", payload);
  }
  Result<Trace> finish() {
    EXPECT_TRUE(writer_->seal());
    return Trace::open(file());
  }
  void expect_refused(const std::string& why) {
    const Result<Trace> trace = finish();
    ASSERT_FALSE(trace);
    EXPECT_THAT(trace.error().message, HasSubstr("is damaged (" + why + ")"));
  }

  FolderForTest directory_;
  std::unique_ptr<TraceWriter> writer_;
};

TEST_F(Script, comes_with_the_addresses_of_a_stack) {
  const std::string addresses(16, '\1');
  stack(0, 2, addresses + frame("12", "save", "app.py") + frame("3", "<module>", "/x/run.py"),
        ScriptLanguage::kPython);
  const Result<Trace> trace = finish();
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(trace->stack(1).size(), 2u);
  const std::vector<ScriptFrame> frames = script_of_stack(*trace, 1);
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0].line, 12u);
  EXPECT_EQ(frames[0].function, "save");
  EXPECT_EQ(frames[0].file, "app.py");
  EXPECT_EQ(frames[1].file, "/x/run.py");
}

TEST_F(Script, is_empty_where_no_interpreter_ran) {
  stack(0, 2, std::string(16, '\1'), ScriptLanguage::kNone);
  const Result<Trace> trace = finish();
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_TRUE(script_of_stack(*trace, 1).empty());
  EXPECT_TRUE(script_of_stack(*trace, 0).empty());
}

TEST_F(Script, that_is_cut_is_damaged) {
  const std::string whole = frame("12", "save", "app.py");
  stack(0, 1, std::string(8, '\1') + whole.substr(0, whole.size() - 1), ScriptLanguage::kPython);
  expect_refused("not a list of frames");
}

TEST_F(Script, without_its_language_is_damaged) {
  stack(0, 1, std::string(8, '\1') + frame("12", "save", "app.py"), ScriptLanguage::kNone);
  expect_refused("frames of a script without its language, or the reverse");
}

TEST_F(Script, with_a_line_that_is_no_number_is_damaged) {
  start(100, 0, frame("12x", "save", "app.py"), ScriptLanguage::kShell);
  expect_refused("a line that is no number");
}

TEST_F(Script, in_an_unknown_language_is_damaged) {
  start(100, 0, frame("12", "save", "app.py"), static_cast<ScriptLanguage>(9));
  expect_refused("an unknown language");
}

TEST_F(Script, in_a_stack_with_too_many_addresses_is_damaged) {
  stack(0, 3, std::string(16, '\1'), ScriptLanguage::kNone);
  expect_refused("more addresses than it has room for");
}

TEST_F(Script, has_programs_run) {
  const uint64_t shell = program(100, "/bin/bash", "/home/u", std::string("bash\0run.sh\0", 12));
  start(101, shell, frame("7", "main", "run.sh"), ScriptLanguage::kShell);
  const uint64_t find = program(101, "/usr/bin/find", "/tmp", std::string("find\0.\0", 7));
  start(102, find, "", ScriptLanguage::kNone);
  const uint64_t move = program(102, "/usr/bin/mv", "/tmp", std::string("mv\0a b\0c\0", 9));
  const uint64_t taken = stack(move, 1, std::string(8, '\1'), ScriptLanguage::kNone);
  const Result<Trace> trace = finish();
  ASSERT_TRUE(trace) << trace.error().message;
  const ProgramRuns runs(*trace);
  const ProgramRun* run = runs.of_stack(taken);
  ASSERT_NE(run, nullptr);
  EXPECT_EQ(run->name, "mv");
  EXPECT_EQ(run->command, "mv 'a b' c");
  ASSERT_EQ(run->started_by.size(), 1u) << "by way of find";
  EXPECT_EQ(run->started_by[0].line, 7u);
  EXPECT_EQ(run->language, ScriptLanguage::kShell);
  EXPECT_EQ(run->script_folder, "/home/u");
}

TEST_F(Script, calls_a_program_by_the_name_that_it_was_started_with) {
  const uint64_t server = program(100, "/usr/bin/redis-check-rdb", "/home/u",
                                  std::string("/usr/bin/redis-server\0--port\0", 29));
  const uint64_t of_server = stack(server, 1, std::string(8, '\1'), ScriptLanguage::kNone);
  const uint64_t shell = program(101, "/bin/bash", "/home/u", std::string("-bash\0", 6));
  const uint64_t of_shell = stack(shell, 1, std::string(8, '\1'), ScriptLanguage::kNone);
  const Result<Trace> trace = finish();
  ASSERT_TRUE(trace) << trace.error().message;
  const ProgramRuns runs(*trace);
  EXPECT_EQ(runs.of_stack(of_server)->name, "redis-server");
  EXPECT_EQ(runs.of_stack(of_shell)->name, "bash");
}

TEST_F(Script, does_not_say_who_started_a_program_of_which_no_start_is_known) {
  const uint64_t first = program(100, "/bin/app", "/home/u", std::string("app\0", 4));
  const uint64_t taken = stack(first, 1, std::string(8, '\1'), ScriptLanguage::kNone);
  const Result<Trace> trace = finish();
  ASSERT_TRUE(trace) << trace.error().message;
  const ProgramRuns runs(*trace);
  ASSERT_NE(runs.of_stack(taken), nullptr);
  EXPECT_TRUE(runs.of_stack(taken)->started_by.empty());
}

}  // namespace
}  // namespace everycrash
