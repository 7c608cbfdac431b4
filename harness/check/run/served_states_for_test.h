// The states of a workload that writes "whole" to f in two steps, and a checker that serves them.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>

#include "harness/base/folder_for_test.h"
#include "harness/check/run/command.h"
#include "harness/check/run/sandbox.h"
#include "harness/model/file_system.h"
#include "harness/trace/recording_for_test.h"

namespace everycrash {

/// Answers for all states: the file f must hold "whole".
inline constexpr const char* kServer =
    "while read -r word n; do "
    "if [ \"$(cat f 2>/dev/null)\" = whole ]; then echo \"ok $n\"; else echo \"bad $n\"; fi >&0; "
    "done";

class ServedStates : public testing::Test {
 protected:
  void SetUp() override {
    constexpr uint64_t kFile = 10;
    std::filesystem::create_directory(base_ / "state");
    recording_.initial()
        .open("f", kFile, O_WRONLY | O_CREAT | O_TRUNC, format::kCreated)
        .write("f", kFile, 0, "wh")
        .write("f", kFile, 2, "ole")
        .print("done\n");
    trace_.emplace(recording_.finish());
    state_.emplace(*FileSystem::initial(*trace_));
    for (const Operation& operation : trace_->records()) {
      if (operation.kind == Kind::kInitial) continue;
      half_ = half_ ? half_ : operation.kind == Kind::kWrite ? state_ : half_;
      EXPECT_TRUE(state_->apply(operation));
    }
  }

  static Command shell(const std::string& script) {
    return make_command({"/bin/sh", "-c", script}, "/");
  }
  /// A folder of its own for each sandbox.
  SandboxOptions place(const char* name) {
    return {.recorded_path = base_ / "state", .work_directory = base_ / name};
  }

  FolderForTest base_;
  Recording recording_;
  std::optional<Trace> trace_;
  std::optional<FileSystem> state_, half_;
};

}  // namespace everycrash
