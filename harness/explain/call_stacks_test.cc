#include "harness/explain/call_stacks.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "harness/base/folder_for_test.h"
#include "harness/trace/trace_writer.h"

namespace everycrash {
namespace {

std::string line(const std::string& number, const std::string& function, const std::string& file) {
  return number + '\0' + function + '\0' + file + '\0';
}

class CallStack : public testing::Test {
 protected:
  CallStack() {
    Result<TraceWriter> writer =
        TraceWriter::create(directory_ / "t.trace", 8 << 20, "/state", {1, 2});
    EXPECT_TRUE(writer);
    writer_ = std::make_unique<TraceWriter>(std::move(*writer));
  }

  /// A program that a script had run at STARTED_BY, and that executes SCRIPT itself; "" = none.
  std::vector<Frame> frames(const std::string& script, const std::string& started_by) {
    format::RecordHeader record = {};
    record.kind = static_cast<uint16_t>(Kind::kProcess);
    record.process = 100;
    const uint64_t shell = *writer_->append(record, "/bin/bash", directory_.path().string(), "");
    record.kind = static_cast<uint16_t>(Kind::kStart);
    record.other_offset = static_cast<int64_t>(shell);
    record.mode =
        static_cast<uint32_t>(started_by.empty() ? ScriptLanguage::kNone : ScriptLanguage::kShell);
    EXPECT_TRUE(writer_->append(record, "/bin/app", "", started_by));
    record = {};
    record.kind = static_cast<uint16_t>(Kind::kProcess);
    record.process = 100;
    const uint64_t program = *writer_->append(record, "/bin/app", directory_.path().string(),
                                              std::string("app\0-x\0", 7));
    record = {};
    record.kind = static_cast<uint16_t>(Kind::kMappings);
    const uint64_t mappings =
        *writer_->append(record, "", "", "1000-2000 r-xp 00000000 08:01 7 /bin/no-such-app\n");
    record.kind = static_cast<uint16_t>(Kind::kStack);
    record.other_inode = mappings;
    record.other_offset = static_cast<int64_t>(program);
    record.length = 1;
    record.mode =
        static_cast<uint32_t>(script.empty() ? ScriptLanguage::kNone : ScriptLanguage::kPython);
    const std::string address("\x34\x12\0\0\0\0\0\0", 8);
    const uint64_t stack = *writer_->append(record, "", "", address + script);
    EXPECT_TRUE(writer_->seal());
    const Result<Trace> trace = Trace::open(directory_ / "t.trace");
    EXPECT_TRUE(trace);
    return CallStacks(*trace, std::make_shared<Symboliser>()).frames(stack);
  }

  FolderForTest directory_;
  std::unique_ptr<TraceWriter> writer_;
};

TEST_F(CallStack, begins_with_the_script_that_is_interpreted) {
  const std::vector<Frame> stack =
      frames(line("9", "Store.save", "/x/app.py") + line("30", "<module>", "/x/app.py"), "");
  ASSERT_EQ(stack.size(), 3u);
  EXPECT_EQ(user_frame(stack), 0u);
  EXPECT_EQ(stack[0].function, "Store.save");
  EXPECT_EQ(stack[0].source_file, "/x/app.py");
  EXPECT_EQ(stack[0].line, 9u);
  EXPECT_EQ(stack[0].language, ScriptLanguage::kPython);
  EXPECT_EQ(stack[1].function, "") << "the file's own code";
  EXPECT_EQ(stack[2].module, "/bin/no-such-app");
  EXPECT_EQ(stack[2].command, "") << "there is a line to name";
}

TEST_F(CallStack, shows_the_users_own_lines_before_the_languages_library) {
  const std::string library = line("179", "dump", "/usr/lib/python3.11/json/__init__.py") +
                              line("12", "_find", "<frozen importlib._bootstrap>");
  std::vector<Frame> stack = frames(library + line("9", "save", "/x/app.py"), "");
  EXPECT_EQ(user_frame(stack), 2u);
  stack = std::vector<Frame>(stack.begin(), stack.begin() + 2);
  EXPECT_EQ(user_frame(stack), 0u) << "there is nothing else";
}

TEST_F(CallStack, finds_files_from_where_the_interpreter_began) {
  std::ofstream(directory_ / "app.py") << "pass\n";
  const std::vector<Frame> stack = frames(
      line("9", "save", "./app.py") + line("1", "f", "gone.py") + line("2", "g", "<string>"), "");
  EXPECT_EQ(stack[0].source_file, directory_ / "app.py");
  EXPECT_EQ(stack[1].source_file, "gone.py");
  EXPECT_EQ(stack[2].source_file, "<string>");
}

TEST_F(CallStack, ends_with_the_script_that_had_the_program_run) {
  const std::vector<Frame> stack = frames("", line("7", "save", "run.sh") + line("9", "main", "x"));
  ASSERT_EQ(stack.size(), 3u);
  EXPECT_EQ(user_frame(stack), 1u);
  EXPECT_EQ(stack[1].function, "save");
  EXPECT_EQ(stack[1].line, 7u);
  EXPECT_EQ(stack[1].program, "app");
  EXPECT_EQ(stack[2].function, "");
}

TEST_F(CallStack, has_the_command_where_no_line_is_known) {
  const std::vector<Frame> stack = frames("", "");
  ASSERT_EQ(stack.size(), 1u);
  EXPECT_EQ(stack[0].command, "app -x");
}

TEST(ScriptLibrary, is_what_comes_with_the_language) {
  EXPECT_TRUE(is_script_library("/usr/lib/python3.11/json/__init__.py"));
  EXPECT_TRUE(is_script_library("/home/u/.pyenv/versions/3.12.1/lib/python3.12/os.py"));
  EXPECT_TRUE(is_script_library("<frozen runpy>"));
  EXPECT_FALSE(is_script_library("/home/u/venv/lib/python3.11/site-packages/store/disk.py"));
  EXPECT_FALSE(is_script_library("/usr/lib/python3/dist-packages/store.py"));
  EXPECT_FALSE(is_script_library("/home/u/app.py"));
  EXPECT_FALSE(is_script_library("<string>"));
}

}  // namespace
}  // namespace everycrash
