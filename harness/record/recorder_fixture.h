// What the recorder's tests share: a state directory, a run, its trace.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "harness/base/folder_for_test.h"
#include "harness/record/recorder.h"
#include "harness/record/unsupported.h"
#include "harness/trace/trace.h"

namespace everycrash {

/// A folder with "state" and "work" in it.
class RecorderTest : public testing::Test {
 protected:
  RecorderTest() {
    std::filesystem::create_directories(state());
    std::filesystem::create_directories(base_ / "work");
    options_.state_directory = state();
    options_.trace_file = base_ / "work" / "trace";
    options_.work_directory = base_ / "work";
    options_.timeout = std::chrono::seconds(60);
  }

  [[nodiscard]] std::filesystem::path state() const { return base_ / "state"; }

  /// One of the programs of programs/.
  static std::string program(const std::string& name) {
    return std::string(EVERYCRASH_PROGRAMS) + "/recorded_" + name;
  }

  /// Records COMMAND and opens its trace. The command must succeed, unless the test says otherwise.
  void run(std::vector<std::string> command, bool must_succeed = true) {
    options_.command = std::move(command);
    Result<RecordOutcome> outcome = record(options_);
    ASSERT_TRUE(outcome) << outcome.error().message;
    outcome_ = std::move(*outcome);
    if (must_succeed) {
      ASSERT_EQ(describe(outcome_.end), "exit status 0") << outcome_.stderr_tail;
    }
    Result<Trace> trace = Trace::open(options_.trace_file);
    ASSERT_TRUE(trace) << trace.error().message;
    trace_ = std::make_unique<Trace>(std::move(*trace));
  }
  void run_shell(const std::string& script) { run({"sh", "-c", script}); }

  /// The records of one kind, in order.
  [[nodiscard]] std::vector<Operation> all(Kind kind) const {
    std::vector<Operation> found;
    for (const Operation& operation : trace_->records()) {
      if (operation.kind == kind) found.push_back(operation);
    }
    return found;
  }

  /// "describe(operation) = result" of every operation, print and event, in order; closes left out.
  [[nodiscard]] std::vector<std::string> operations() const {
    std::vector<std::string> lines;
    for (const Operation& operation : trace_->records()) {
      const bool told = is_operation(operation.kind) || operation.kind == Kind::kPrint ||
                        operation.kind == Kind::kEvent;
      if (!told || operation.kind == Kind::kClose) continue;
      lines.push_back(describe(operation) + " = " + std::to_string(operation.result));
    }
    return lines;
  }

  [[nodiscard]] std::vector<std::string> unsupported() const {
    std::vector<std::string> lines;
    for (const Operation& operation : all(Kind::kUnsupported)) {
      lines.push_back(explain_unsupported(operation));
    }
    return lines;
  }

  [[nodiscard]] std::string content(const std::string& name) const {
    std::ifstream file(state() / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  FolderForTest base_;
  RecordOptions options_;
  RecordOutcome outcome_;
  std::unique_ptr<Trace> trace_;
};

}  // namespace everycrash
