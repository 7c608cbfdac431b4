// A trace made by hand, for tests: what a recorder would write for these operations.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <utility>

#include "harness/base/folder_for_test.h"
#include "harness/trace/trace.h"
#include "harness/trace/trace_writer.h"

namespace everycrash {

/// Builds a trace call by call. Every file gets the inode number that it is made with.
class Recording {
 public:
  Recording() {
    std::filesystem::create_directory(directory_ / "tree");
    Result<TraceWriter> writer = TraceWriter::create(file(), 64 << 20, "/state", {1, 2});
    EXPECT_TRUE(writer.has_value());
    writer_ = std::make_unique<TraceWriter>(std::move(*writer));
  }

  /// Puts what is there before the workload; call first, after filling `tree()`.
  Recording& initial() {
    EXPECT_TRUE(writer_->append_initial_tree(tree()).has_value());
    return *this;
  }
  [[nodiscard]] std::filesystem::path tree() const { return directory_ / "tree"; }

  Recording& create(std::string_view path, uint64_t inode) {
    return add(Kind::kOpen, path, "", inode, "", format::kCreated);
  }
  /// With the flags that open(2) was given.
  Recording& open(std::string_view path, uint64_t inode, uint32_t open_flags, uint32_t flags = 0) {
    open_flags_ = open_flags;
    return add(Kind::kOpen, path, "", inode, "", flags);
  }
  /// The next call was made with the stack of that number; it need not be there.
  Recording& at_stack(uint64_t stack) {
    stack_ = stack;
    return *this;
  }
  /// What the next call makes has that mode.
  Recording& mode(uint32_t mode) {
    mode_ = mode;
    return *this;
  }
  Recording& empty(std::string_view path, uint64_t inode) {
    return add(Kind::kOpen, path, "", inode, "", format::kTruncated);
  }
  Recording& write(std::string_view path, uint64_t inode, int64_t offset, std::string_view bytes) {
    offset_ = offset;
    return add(Kind::kWrite, path, "", inode, bytes);
  }
  /// As a look at the mapped files finds it.
  Recording& map_write(std::string_view path, uint64_t inode, int64_t offset,
                       std::string_view bytes) {
    offset_ = offset;
    return add(Kind::kMapWrite, path, "", inode, bytes);
  }
  Recording& rename(std::string_view from, std::string_view to, uint64_t inode) {
    return add(Kind::kRename, from, to, inode, "");
  }
  Recording& unlink(std::string_view path, uint64_t inode) {
    return add(Kind::kUnlink, path, "", inode, "");
  }
  Recording& fsync(std::string_view path, uint64_t inode) {
    return add(Kind::kFileSync, path, "", inode, "");
  }
  Recording& print(std::string_view text) { return add(Kind::kPrint, "", "", 0, text); }
  Recording& event(std::string_view line) {
    return add(Kind::kEvent, "", "", 0, std::string(line) + "\n");
  }
  /// From now on it is done by that instance of the workload, in a process of its own.
  Recording& as_runner(uint32_t runner) {
    runner_ = runner;
    return *this;
  }
  /// A process begins.
  Recording& process() { return add(Kind::kProcess, "", "", 0, ""); }
  Recording& exit(uint32_t status) {
    mode_ = status;
    return add(Kind::kExit, "", "", 0, "");
  }
  Recording& add(Kind kind, std::string_view path, std::string_view other, uint64_t inode,
                 std::string_view payload, uint32_t flags = 0, int64_t failure = 0) {
    format::RecordHeader record{};
    record.kind = static_cast<uint16_t>(kind);
    record.call = format::kNoCall;
    record.flags = flags;
    record.inode = inode;
    record.mode = std::exchange(mode_, 0644);
    record.stack = std::exchange(stack_, 0);
    record.process = record.thread = 100 + static_cast<int32_t>(runner_);
    record.runner = runner_;
    record.offset = offset_;
    record.length = record.result = static_cast<int64_t>(payload.size());
    if (failure < 0) record.result = failure;
    record.open_flags = open_flags_;
    offset_ = 0;
    open_flags_ = 0;
    EXPECT_TRUE(writer_->append(record, path, other, payload).has_value());
    return *this;
  }

  /// Ends the recording; the trace lives as long as its mapping, not as this object.
  Trace finish() {
    EXPECT_TRUE(writer_->seal().has_value());
    writer_.reset();
    Result<Trace> trace = Trace::open(file());
    EXPECT_TRUE(trace.has_value()) << (trace ? "" : trace.error().message);
    return std::move(*trace);
  }
  /// Ends the recording and leaves it in FILE.
  void finish_in(const std::filesystem::path& to) {
    static_cast<void>(finish());
    std::filesystem::copy_file(file(), to);
  }

 private:
  [[nodiscard]] std::filesystem::path file() const { return directory_ / "trace"; }

  FolderForTest directory_;
  std::unique_ptr<TraceWriter> writer_;
  int64_t offset_ = 0;
  uint64_t stack_ = 0;
  uint32_t open_flags_ = 0;
  uint32_t mode_ = 0644;
  uint32_t runner_ = 0;
};

}  // namespace everycrash
