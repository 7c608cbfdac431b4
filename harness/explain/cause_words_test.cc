#include "harness/explain/cause_words.h"

#include <gtest/gtest.h>

#include "harness/check/verdict.h"
#include "harness/trace/recording_for_test.h"

namespace everycrash {
namespace {

/// All in one function, whose source cannot be read.
CallSite in_save(uint64_t) {
  return {.name = "save in app"};
}

/// All in one line.
CallSite in_one_line(uint64_t) {
  return {.name = "save in app", .line = "f = open(path)"};
}

TEST(CauseWords, names_that_one_line_makes_are_alike_whatever_they_look_like) {
  Recording recording;
  recording.create("objects/3f/a0c17b5d", 1).create("objects/aa/step", 2).create("x-17.json", 3);
  const Trace trace = recording.finish();
  const CauseWords words(trace, in_one_line);
  EXPECT_EQ(words.file_of(*trace.find(1)), "state made by `f = open(path)` in save in app");
  EXPECT_EQ(words.file_of(*trace.find(1)), words.file_of(*trace.find(2)));
  EXPECT_EQ(words.file_of(*trace.find(1)), words.file_of(*trace.find(3)));
}

TEST(CauseWords, two_roles_are_two_kinds_of_file_in_one_line) {
  Recording recording;
  recording.create("f.tmp", 1).rename("f.tmp", "f", 1).create("log", 2);
  const Trace trace = recording.finish();
  const CauseWords words(trace, in_one_line);
  EXPECT_EQ(words.file_of(*trace.find(1)), "temporary made by `f = open(path)` in save in app");
  EXPECT_NE(words.file_of(*trace.find(1)), words.file_of(*trace.find(3)));
}

TEST(CauseWords, a_write_is_to_the_file_that_a_line_has_opened) {
  Recording recording;
  recording.at_stack(1).create("a", 1).at_stack(2).create("b", 2);
  recording.at_stack(3).write("a", 1, 0, "x").at_stack(3).write("b", 2, 0, "x");
  const Trace trace = recording.finish();
  const CauseWords words(trace, [](uint64_t stack) {
    return CallSite{.name = stack == 3 ? "put in app" : "save in app",
                    .line = "line " + std::to_string(stack)};
  });
  EXPECT_EQ(words.call_of(*trace.find(3)),
            "write state made by `line 1` in save in app at put in app");
  EXPECT_EQ(words.call_of(*trace.find(4)),
            "write state made by `line 2` in save in app at put in app");
}

TEST(CauseWords, where_no_line_is_known_the_name_tells_files_apart) {
  Recording recording;
  recording.create("out/step-017.txt", 1).create("a.json", 2);
  const Trace trace = recording.finish();
  const CauseWords words(trace, in_save);
  EXPECT_EQ(words.call_of(*trace.find(1)), "open out/step-#.txt at save in app");
  EXPECT_EQ(words.call_of(*trace.find(2)), "open a.json at save in app");
  const CauseWords wider(trace, in_save, NameGrain::kSuffix);
  EXPECT_EQ(wider.call_of(*trace.find(2)), "open *.json at save in app");
}

TEST(CauseWords, a_print_has_no_file_and_an_event_has_its_kind) {
  Recording recording;
  recording.print("saved 1\n").event("effect charge 17");
  const Trace trace = recording.finish();
  const CauseWords words(trace, in_one_line);
  EXPECT_EQ(words.call_of(*trace.find(1)), "print at save in app");
  EXPECT_EQ(words.call_of(*trace.find(2)), "event charge at save in app");
}

TEST(CauseWords, a_complaint_is_about_a_kind_of_file_or_of_effect) {
  Recording recording;
  recording.create("f.tmp", 1).rename("f.tmp", "f", 1);
  const Trace trace = recording.finish();
  const CauseWords words(trace, in_one_line);
  EXPECT_EQ(words.subject_of({.path = "f"}), "state");
  EXPECT_EQ(words.subject_of({.path = "f.tmp"}), "temporary");
  EXPECT_EQ(words.subject_of({.judge = Judge::kExactlyOnce, .path = "charge 17"}), "charge");
  EXPECT_EQ(words.subject_of({}), "");
}

}  // namespace
}  // namespace everycrash
