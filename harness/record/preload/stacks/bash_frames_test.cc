#include "harness/record/preload/stacks/bash_frames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/record/preload/stacks/fake_memory_for_test.h"

namespace everycrash::preload {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// The variables of a bash, as its headers describe them.
class FakeBash {
 public:
  FakeBash() {
    bash_.line_number = memory_.make(4);
    bash_.dollar_vars = memory_.make(80);
    bash_.command_string = memory_.make(8);
    bash_.global_variables = memory_.make(8);
    memory_.set(bash_.dollar_vars, 0, text("run.sh"));
    const uint64_t context = memory_.make(40);
    memory_.set(bash_.global_variables, 0, context);
    const uint64_t table = memory_.make(16);
    memory_.set(context, 32, table);
    buckets_ = memory_.make(8 * kBuckets);
    memory_.set(table, 0, buckets_);
    memory_.set<int32_t>(table, 8, kBuckets);
  }

  void at_line(int32_t line) { memory_.set(bash_.line_number, 0, line); }
  void run_by_command(const std::string& command) {
    memory_.set(bash_.command_string, 0, text(command));
  }
  /// An array variable. Before bash 5.2 a type stood in front: HAS_TYPE.
  void array(const std::string& name, const std::vector<std::string>& values,
             bool has_type = false) {
    const uint64_t head = memory_.make(32);
    memory_.set<int64_t>(head, 0, -1);
    uint64_t last = head;
    for (size_t i = 0; i < values.size(); ++i) {
      const uint64_t element = memory_.make(32);
      memory_.set<int64_t>(element, 0, static_cast<int64_t>(i));
      memory_.set(element, 8, text(values[i]));
      link(last, element);
      last = element;
    }
    link(last, head);
    const uint64_t words = memory_.make(40);
    memory_.set<int64_t>(words, has_type ? 8 : 0, static_cast<int64_t>(values.size()) - 1);
    memory_.set<int64_t>(words, has_type ? 16 : 8, static_cast<int64_t>(values.size()));
    memory_.set(words, has_type ? 24 : 16, head);
    const uint64_t variable = memory_.make(16);
    memory_.set(variable, 8, words);
    add(name, variable);
  }

  std::vector<std::string> frames() {
    FrameText found;
    describe_bash(FakeMemory::read, bash_, found);
    return frames_in(found.text().data, found.text().size);
  }
  FakeMemory& memory() { return memory_; }

 private:
  static constexpr int32_t kBuckets = 4;  // so few that variables share them

  uint64_t text(const std::string& value) { return memory_.make(value + '\0'); }
  void link(uint64_t from, uint64_t to) {
    memory_.set(from, 16, to);
    memory_.set(to, 24, from);
  }
  void add(const std::string& name, uint64_t variable) {
    uint32_t hash = 2166136261;
    for (const char c : name) hash = (hash * 16777619) ^ static_cast<uint8_t>(c);
    const size_t place = (hash % kBuckets) * 8;
    const uint64_t bucket = memory_.make(32);
    uint64_t next = 0;
    memcpy(&next, memory_.bytes(buckets_).data() + place, sizeof next);
    memory_.set(bucket, 0, next);
    memory_.set(bucket, 8, text(name));
    memory_.set(bucket, 16, variable);
    memory_.set(buckets_, place, bucket);
  }

  FakeMemory memory_;
  Bash bash_;
  uint64_t buckets_ = 0;
};

void fill(FakeBash& bash, bool has_type = false) {
  bash.at_line(12);
  bash.array("FUNCNAME", {"save", "main"}, has_type);
  bash.array("BASH_SOURCE", {"lib.sh", "run.sh"}, has_type);
  bash.array("BASH_LINENO", {"30", "0"}, has_type);
  bash.array("OTHER", {"x"}, has_type);
}

TEST(BashFrames, are_the_line_and_those_that_called_it) {
  FakeBash bash;
  fill(bash);
  EXPECT_THAT(bash.frames(), ElementsAre("12 save lib.sh", "30 main run.sh"));
}

TEST(BashFrames, are_found_in_arrays_of_older_versions) {
  FakeBash bash;
  fill(bash, true);
  EXPECT_THAT(bash.frames(), ElementsAre("12 save lib.sh", "30 main run.sh"));
}

TEST(BashFrames, are_at_least_the_line_of_what_runs) {
  FakeBash bash;
  bash.at_line(12);
  EXPECT_THAT(bash.frames(), ElementsAre("12 main run.sh"));
}

TEST(BashFrames, name_no_file_for_a_command_of_the_command_line) {
  FakeBash bash;
  bash.at_line(1);
  bash.run_by_command("echo x >f");
  EXPECT_THAT(bash.frames(), ElementsAre("1 main <bash -c>"));
}

TEST(BashFrames, are_none_before_the_first_command) {
  FakeBash bash;
  EXPECT_THAT(bash.frames(), IsEmpty());
}

TEST(BashFrames, survive_any_object_that_is_gone) {
  without_each_object<FakeBash>([](FakeBash& bash) { fill(bash); },
                                [](FakeBash& bash) { EXPECT_LE(bash.frames().size(), 2u); });
}

TEST(BashFrames, survive_any_word_that_is_damaged) {
  with_each_damaged_word<FakeBash>(
      [](FakeBash& bash) { fill(bash); },
      [](FakeBash& bash) { EXPECT_LE(bash.frames().size(), format::kScriptFramesMax); });
}

}  // namespace
}  // namespace everycrash::preload
