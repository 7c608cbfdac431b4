#include "harness/record/preload/stacks/python_frames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/record/preload/stacks/fake_memory_for_test.h"
#include "harness/record/preload/stacks/python_objects.h"

namespace everycrash::preload {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr uint64_t kThread = 0x7f0000001234;
constexpr uint64_t kStateSize = 512;
constexpr size_t kCharSizeShift = 2;
constexpr uint32_t kCompact = 1u << 5;
constexpr uint32_t kAscii = 1u << 6;

/// A thread of a Python 3.MINOR, as its headers describe it.
class FakePython {
 public:
  explicit FakePython(unsigned minor = 11) {
    python_.layout = python_layout(minor);
    python_.code_type = memory_.make(64);
    python_.unicode_type = memory_.make(64);
    state_ = memory_.make(kStateSize);
    memory_.set(state_, layout().thread_id, kThread);
    head_ = state_;
    head_offset_ = layout().frame;
    if (!layout().through_c) return;
    const uint64_t c_frame = memory_.make(64);
    memory_.set(state_, layout().frame, c_frame);
    head_ = c_frame;
    head_offset_ = layout().c_frame;
  }

  uint64_t ascii(const std::string& text) {
    const uint64_t object = make_text(text, text.size(), 1, layout().ascii_text);
    memory_.set<uint32_t>(object, 32, 1u << kCharSizeShift | kCompact | kAscii);
    return object;
  }
  uint64_t wide(const std::string& bytes, size_t length, unsigned char_size) {
    const uint64_t object = make_text(bytes, length, char_size, layout().other_text);
    memory_.set<uint32_t>(object, 32, char_size << kCharSizeShift | kCompact);
    return object;
  }
  uint64_t code(uint64_t name, uint64_t file, uint32_t first_line) {
    const uint64_t object = memory_.make(256);
    memory_.set(object, 8, python_.code_type);
    memory_.set(object, layout().name, name);
    memory_.set(object, layout().file, file);
    memory_.set(object, layout().first_line, first_line);
    // Each instruction is one line further than the one before.
    std::string table;
    for (int i = 0; i < 8; ++i) table += "\xe8\x02";  // no columns, one unit, +1
    if (layout().by_index) {
      table.clear();
      for (int i = 0; i < 8; ++i) table += "\x02\x01";
    }
    const uint64_t lines = memory_.make(32 + table.size() + 1);
    memory_.set<uint64_t>(lines, 16, table.size());
    memory_.set_bytes(lines, 32, table);
    memory_.set(object, layout().lines, lines);
    return object;
  }
  /// Calls it from the frame that was called last.
  uint64_t call(uint64_t code, uint32_t instruction) {
    const uint64_t frame = memory_.make(128);
    memory_.set(frame, layout().code, code);
    memory_.set(frame, layout().previous, innermost_);
    if (layout().by_index) {
      memory_.set<int32_t>(frame, layout().instruction,
                           static_cast<int32_t>(instruction * 2 / layout().index_unit));
    } else {
      memory_.set<uint64_t>(frame, layout().instruction,
                            code + layout().bytecode + instruction * 2);
    }
    memory_.set(head_, head_offset_, frame);
    innermost_ = frame;
    return frame;
  }
  uint64_t call(const std::string& name, uint32_t first_line, uint32_t instruction) {
    return call(code(ascii(name), ascii("/app.py"), first_line), instruction);
  }

  std::vector<std::string> frames() {
    PythonFrame found[format::kScriptFramesMax];
    const size_t count =
        walk_python(FakeMemory::read, python_, state_, found, format::kScriptFramesMax);
    FrameText text;
    describe_python(FakeMemory::read, python_, found, count, text);
    return frames_in(text.text().data, text.text().size);
  }
  uint64_t hash() {
    PythonFrame found[format::kScriptFramesMax];
    const size_t count =
        walk_python(FakeMemory::read, python_, state_, found, format::kScriptFramesMax);
    return hash_python(FakeMemory::read, python_, found, count);
  }
  bool is_thread(uint64_t thread) {
    return is_python_thread(FakeMemory::read, python_, state_, thread);
  }

  FakeMemory& memory() { return memory_; }
  const PythonLayout& layout() { return *python_.layout; }
  Python& python() { return python_; }

 private:
  uint64_t make_text(const std::string& bytes, size_t length, unsigned char_size, size_t place) {
    static_cast<void>(char_size);
    const uint64_t object = memory_.make(place + bytes.size() + 4);
    memory_.set(object, 8, python_.unicode_type);
    memory_.set<uint64_t>(object, 16, length);
    memory_.set<int64_t>(object, 24, -1);
    memory_.set_bytes(object, place, bytes);
    return object;
  }

  FakeMemory memory_;
  Python python_;
  uint64_t state_ = 0;
  uint64_t head_ = 0;
  size_t head_offset_ = 0;
  uint64_t innermost_ = 0;
};

class PythonVersions : public testing::TestWithParam<unsigned> {};

TEST_P(PythonVersions, give_the_innermost_call_first) {
  FakePython python(GetParam());
  python.call("<module>", 1, 3);
  python.call("save", 20, 2);
  // The fake tables count one line for each instruction; up to 3.9 the first has the first line.
  const bool counts_from_zero = GetParam() <= 9;
  if (counts_from_zero) {
    EXPECT_THAT(python.frames(), ElementsAre("22 save /app.py", "4 <module> /app.py"));
  } else {
    EXPECT_THAT(python.frames(), ElementsAre("23 save /app.py", "5 <module> /app.py"));
  }
}

TEST_P(PythonVersions, give_nothing_where_nothing_runs) {
  FakePython python(GetParam());
  EXPECT_THAT(python.frames(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(All, PythonVersions, testing::Values(8, 9, 10, 11, 12, 13));

TEST(PythonFrames, are_only_known_for_known_versions) {
  EXPECT_EQ(python_layout(7), nullptr);
  EXPECT_EQ(python_layout(14), nullptr);
}

TEST(PythonFrames, belong_to_the_thread_that_asks) {
  FakePython python;
  EXPECT_TRUE(python.is_thread(kThread));
  EXPECT_FALSE(python.is_thread(kThread + 1));
  EXPECT_FALSE(is_python_thread(FakeMemory::read, python.python(), 0, 0));
}

TEST(PythonFrames, leave_out_those_of_the_interpreter_itself) {
  FakePython python(12);
  python.call("<module>", 1, 3);
  const uint64_t shim = python.call("<shim>", 0, 0);
  python.memory().set(shim, python.layout().owner, kOwnedByInterpreter);
  python.call("save", 20, 2);
  EXPECT_THAT(python.frames(), ElementsAre("23 save /app.py", "5 <module> /app.py"));
}

TEST(PythonFrames, that_have_not_begun_stand_at_their_beginning) {
  FakePython python;
  const uint64_t code = python.code(python.ascii("f"), python.ascii("/app.py"), 20);
  const uint64_t frame = python.call(code, 0);
  python.memory().set(frame, python.layout().instruction, code + python.layout().bytecode - 2);
  EXPECT_THAT(python.frames(), ElementsAre("21 f /app.py"));
}

TEST(PythonFrames, end_in_a_circle_that_is_cut) {
  FakePython python;
  const uint64_t frame = python.call("f", 20, 0);
  python.memory().set(frame, python.layout().previous, frame);
  EXPECT_EQ(python.frames().size(), format::kScriptFramesMax);
  python.memory().set(frame, python.layout().code, uint64_t{0});
  EXPECT_THAT(python.frames(), IsEmpty());
}

TEST(PythonFrames, are_none_where_a_type_is_another) {
  FakePython python;
  const uint64_t name = python.ascii("f");
  const uint64_t code = python.code(name, python.ascii("/app.py"), 20);
  python.call(code, 0);
  ASSERT_EQ(python.frames().size(), 1u);
  python.memory().set<uint64_t>(name, 8, 0x1234);
  EXPECT_THAT(python.frames(), IsEmpty());
  python.memory().set(name, 8, python.python().unicode_type);
  python.memory().set<uint64_t>(code, 8, 0x1234);
  EXPECT_THAT(python.frames(), IsEmpty());
}

void call_twice(FakePython& python) {
  python.call("<module>", 1, 3);
  python.call("save", 20, 2);
}

TEST(PythonFrames, survive_any_object_that_is_gone) {
  without_each_object<FakePython>(call_twice, [](FakePython& python) {
    EXPECT_LE(python.frames().size(), 2u);
    static_cast<void>(python.hash());
  });
}

TEST(PythonFrames, survive_any_word_that_is_damaged) {
  with_each_damaged_word<FakePython>(call_twice, [](FakePython& python) {
    EXPECT_LE(python.frames().size(), format::kScriptFramesMax);
    static_cast<void>(python.hash());
    EXPECT_LT(python.memory().reads(), 1'000'000u);
  });
}

TEST(PythonFrames, have_their_texts_in_utf8) {
  FakePython python;
  const uint64_t latin = python.wide("caf\xe9", 4, 1);
  const uint64_t greek = python.wide(std::string("\xbb\x03\xbf\x03", 4), 2, 2);
  const uint64_t face = python.wide(std::string("\x00\xf6\x01\x00", 4), 1, 4);
  // "a" and a byte of a file name that is no UTF-8.
  const uint64_t escaped = python.wide(std::string("a\0\xff\xdc", 4), 2, 2);
  python.call(python.code(latin, greek, 20), 0);
  python.call(python.code(face, escaped, 30), 0);
  EXPECT_THAT(python.frames(), ElementsAre("31 \xf0\x9f\x98\x80 a\xff", "21 caf\xc3\xa9 λο"));
}

TEST(PythonFrames, cut_long_names) {
  FakePython python;
  python.call(
      python.code(python.ascii(std::string(5000, 'f')), python.ascii(std::string(5000, 'p')), 20),
      0);
  ASSERT_EQ(python.frames().size(), 1u);
  EXPECT_EQ(python.frames()[0].size(), 3 + FrameText::kFunctionMax + 1 + FrameText::kFileMax);
}

TEST(PythonFrames, are_told_apart_by_their_instruction) {
  FakePython python;
  const uint64_t frame = python.call("f", 20, 0);
  const uint64_t before = python.hash();
  EXPECT_EQ(python.hash(), before);
  python.memory().set<uint64_t>(frame, python.layout().instruction,
                                python.memory().addresses().back());
  EXPECT_NE(python.hash(), before);
}

TEST(PythonFrames, are_told_apart_when_their_memory_is_used_again) {
  FakePython python;
  const uint64_t file = python.ascii("/gen0.py");
  python.call(python.code(python.ascii("f"), file, 1), 0);
  const uint64_t before = python.hash();
  python.memory().set_bytes(file, python.layout().ascii_text, "/gen1.py");
  EXPECT_NE(python.hash(), before);
}

}  // namespace
}  // namespace everycrash::preload
