// Which argument of a command is its program's code.
#include "harness/check/run/script_argument.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

namespace everycrash {
namespace {

namespace fs = std::filesystem;

class ScriptArgument : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/script_argument_XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder_ = name;
    write("plain", "text\n");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  [[nodiscard]] size_t position(const std::vector<std::string>& argv) const {
    return script_argument(argv, folder_);
  }

  fs::path folder_;
};

TEST_F(ScriptArgument, SaysItselfWhichProgramRunsIt) {
  write("direct", "#!/opt/bin/bun run\n");
  write("by_env", "#!/usr/bin/env -S escript +x\n");
  write("only", "#! /usr/bin/guile-3.0");
  EXPECT_EQ(position({"bun", "direct"}), 1u);
  EXPECT_EQ(position({"/usr/local/bin/escript", "-s", "by_env", "plain"}), 2u);
  EXPECT_EQ(position({"guile-3.0", "only"}), 1u);
  EXPECT_EQ(position({"bun", "by_env"}), 0u) << "another program's";
  EXPECT_EQ(position({"cat", "direct"}), 0u) << "a file that is read";
}

TEST_F(ScriptArgument, IsKnownByTheProgramWhereItSaysNothing) {
  EXPECT_EQ(position({"python3.11", "-u", "plain", "x"}), 2u);
  EXPECT_EQ(position({"sh", "-e", "plain"}), 2u);
  EXPECT_EQ(position({"touch", "plain"}), 0u) << "a file of the state directory";
  EXPECT_EQ(position({"pythonic", "plain"}), 0u);
}

TEST_F(ScriptArgument, IsNotThereWhereTheCodeIsGivenOtherwise) {
  EXPECT_EQ(position({"perl", "-e", "plain"}), 0u);
  EXPECT_EQ(position({"python3", "-m", "plain"}), 0u);
  EXPECT_EQ(position({"sh", "-c", "plain"}), 0u);
}

TEST_F(ScriptArgument, IsAFileThatIsThere) {
  EXPECT_EQ(position({"sh", "missing"}), 0u);
  EXPECT_EQ(position({"sh", "missing", "plain"}), 0u) << "only the first can be it";
  EXPECT_EQ(position({"sh"}), 0u);
  EXPECT_EQ(position({}), 0u);
}

}  // namespace
}  // namespace everycrash
