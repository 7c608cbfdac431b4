#include "harness/trace/trace.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "harness/base/folder_for_test.h"
#include "harness/trace/trace_writer.h"

namespace everycrash {
namespace {

using testing::HasSubstr;

class TraceFile : public testing::Test {
 protected:
  void write_some(bool sealed = true) {
    Result<TraceWriter> writer = TraceWriter::create(file_, 8 << 20, "/state", {1, 2});
    ASSERT_TRUE(writer);
    format::RecordHeader record{};
    record.kind = static_cast<uint16_t>(Kind::kWrite);
    record.offset = 10;
    record.length = 5;
    record.result = 5;
    ASSERT_TRUE(writer->append(record, "a.txt", "", "hello"));
    record.kind = static_cast<uint16_t>(Kind::kRename);
    ASSERT_TRUE(writer->append(record, "a.txt", "b.txt", ""));
    if (sealed) {
      ASSERT_TRUE(writer->seal());
    }
  }

  void overwrite(off_t position, std::string_view bytes) {
    const int descriptor = open(file_.c_str(), O_WRONLY);
    ASSERT_EQ(pwrite(descriptor, bytes.data(), bytes.size(), position), ssize_t(bytes.size()));
    close(descriptor);
  }

  std::string error() {
    Result<Trace> trace = Trace::open(file_);
    return trace ? "" : trace.error().message;
  }

  FolderForTest directory_;
  const std::filesystem::path file_ = directory_ / "t.trace";
};

TEST_F(TraceFile, reads_back_what_was_written) {
  write_some();
  Result<Trace> trace = Trace::open(file_);
  ASSERT_TRUE(trace) << trace.error().message;
  ASSERT_EQ(trace->records().size(), 2u);
  const Operation& write = trace->records()[0];
  EXPECT_EQ(write.path, "a.txt");
  EXPECT_EQ(write.payload, "hello");
  EXPECT_EQ(write.offset, 10);
  EXPECT_EQ(trace->records()[1].other_path, "b.txt");
  EXPECT_EQ(trace->root(), "/state");
}

TEST_F(TraceFile, refuses_a_file_that_is_no_trace) {
  std::ofstream(file_) << std::string(100000, 'x');
  EXPECT_THAT(error(), HasSubstr("not an everycrash trace"));
}

TEST_F(TraceFile, refuses_a_version_from_the_future) {
  write_some();
  overwrite(offsetof(format::FileHeader, version), std::string_view("\x63\0\0\0", 4));
  EXPECT_THAT(error(), HasSubstr("trace format 99"));
}

TEST_F(TraceFile, notices_a_flipped_byte_anywhere_in_the_records) {
  write_some();
  const auto size = static_cast<off_t>(std::filesystem::file_size(file_));
  for (off_t at = format::kHeaderSize; at < size; at += 7) {
    write_some();
    char byte = 0;
    const int descriptor = open(file_.c_str(), O_RDONLY);
    ASSERT_EQ(pread(descriptor, &byte, 1, at), 1);
    close(descriptor);
    byte = static_cast<char>(byte ^ 0x40);
    overwrite(at, {&byte, 1});
    EXPECT_THAT(error(), HasSubstr("damaged")) << at;
  }
}

TEST_F(TraceFile, notices_that_it_was_cut_short) {
  write_some();
  std::filesystem::resize_file(file_, std::filesystem::file_size(file_) - 16);
  EXPECT_THAT(error(), HasSubstr("cut short"));
}

TEST_F(TraceFile, notices_that_it_was_never_finished) {
  write_some(false);
  EXPECT_THAT(error(), HasSubstr("never finished"));
  Result<Trace> trace = Trace::open(file_, true);
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->records().size(), 2u);
}

TEST_F(TraceFile, holds_the_tree_from_before_the_workload) {
  const std::filesystem::path tree = directory_ / "tree";
  std::filesystem::create_directories(tree / "sub");
  const std::string big(3 << 20, 'b');
  std::ofstream(tree / "sub/file") << big;
  std::filesystem::create_symlink("sub/file", tree / "link");
  std::filesystem::create_hard_link(tree / "sub/file", tree / "twin");
  {
    Result<TraceWriter> writer = TraceWriter::create(file_, 16 << 20, tree.string(), {});
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->append_initial_tree(tree));
    ASSERT_TRUE(writer->seal());
  }
  Result<Trace> trace = Trace::open(file_);
  ASSERT_TRUE(trace) << trace.error().message;
  std::string content;
  std::vector<std::string> names;
  for (const Operation& op : trace->records()) {
    if (op.kind == Kind::kInitial) names.emplace_back(op.path);
    if (op.path == "link") {
      EXPECT_EQ(op.payload, "sub/file");
    }
    if (op.path == "sub/file" || op.kind == Kind::kPayloadChunk) content += op.payload;
  }
  EXPECT_EQ(content, big);
  EXPECT_THAT(names, testing::ElementsAre("", "link", "sub", "sub/file", "twin"));
}

}  // namespace
}  // namespace everycrash
