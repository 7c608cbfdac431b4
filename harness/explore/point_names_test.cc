#include "harness/explore/point_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/trace/recording_for_test.h"

namespace everycrash {
namespace {

class Names : public testing::Test {
 protected:
  Names() {
    recording_.create("log", 1)
        .write("log", 1, 0, std::string(9000, 'x'))
        .create("state.json.100", 2)
        .rename("state.json.100", "state.json", 2)
        .event("step mark_done")
        .print("ok\n")
        .create("tmp.aB3xY9", 3)
        .rename("tmp.aB3xY9", "state.json", 3)
        .event("effect charge order-17");
  }
  Recording recording_;
};

TEST_F(Names, say_what_a_person_sees) {
  const Trace trace = recording_.finish();
  const PointNames names(trace);
  EXPECT_EQ(names.name({0, -1}), "start");
  EXPECT_EQ(names.name({2, 4096}), "write(log)#1+4096");
  EXPECT_EQ(names.name({5, -1}), "after:mark_done#1");
  EXPECT_EQ(names.name({6, -1}), "print()#1");
  EXPECT_EQ(names.name({8, -1}), "rename(state.json)#2");
  EXPECT_EQ(names.name({9, -1}), "effect(charge order-17)#1");
}

TEST_F(Names, hide_what_differs_between_runs) {
  const Trace trace = recording_.finish();
  const PointNames names(trace);
  EXPECT_EQ(names.name({3, -1}), "open(state.json.<pid>)#1");
  EXPECT_EQ(names.name({7, -1}), "open(tmp.<random>)#1");
}

TEST_F(Names, lead_back_to_their_places) {
  const Trace trace = recording_.finish();
  const PointNames names(trace);
  for (const uint64_t record : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
    EXPECT_EQ(names.find(names.name({record, -1})).value(), (CrashPoint{record, -1}));
  }
  EXPECT_EQ(names.find("write(log)#1+4096").value(), (CrashPoint{2, 4096}));
  EXPECT_EQ(names.find("before:rename(state.json)#2").value(), (CrashPoint{7, -1}));
}

TEST_F(Names, that_do_not_exist_are_answered_with_those_that_do) {
  const Trace trace = recording_.finish();
  const PointNames names(trace);
  EXPECT_THAT(names.find("rename(stat.json)#1").error().message,
              testing::HasSubstr("rename(state.json)"));
  EXPECT_THAT(names.find("nonsense").error().message,
              testing::HasSubstr("does not name a crash point"));
  EXPECT_FALSE(names.find("write(log)#1+9000"));
}

TEST(PointPattern, is_read_without_a_trace) {
  const Result<PointPattern> pattern = parse_point("write(a#b)#3+4096");
  ASSERT_TRUE(pattern);
  EXPECT_EQ(pattern->base, "write(a#b)");
  EXPECT_EQ(pattern->occurrence, 3u);
  EXPECT_EQ(pattern->cut, 4096);
  EXPECT_TRUE(parse_point("before:rename(x)#1")->before);
  EXPECT_FALSE(parse_point("rename(x)"));
  EXPECT_FALSE(parse_point("rename(x)#0"));
}

}  // namespace
}  // namespace everycrash
