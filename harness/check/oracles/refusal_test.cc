#include "harness/check/oracles/refusal.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "harness/trace/recording_for_test.h"

namespace everycrash {
namespace {

/// What the second runner does between its start and its end.
using Steps = std::function<void(Recording&)>;

Trace pair_of(const Steps& steps) {
  Recording run;
  run.initial().as_runner(0).process().create("other", 7).exit(0);
  run.as_runner(1).process();
  steps(run);
  return run.finish();
}

size_t refusals_after(const Steps& steps) {
  return find_refusals(pair_of(steps)).size();
}

void missing(Recording& run, Kind kind, std::string_view path) {
  run.add(kind, path, "", 0, "", 0, -ENOENT).exit(1);
}

TEST(Refusal, is_an_exit_status_that_is_not_0) {
  EXPECT_EQ(refusals_after([](Recording& run) { run.exit(1); }), 1u);
  EXPECT_EQ(refusals_after([](Recording& run) { run.exit(0); }), 0u);
}

TEST(Refusal, is_not_death_by_a_signal) {
  EXPECT_EQ(refusals_after([](Recording& run) { run.create("own", 8); }), 0u);
}

TEST(Refusal, names_the_runner_and_what_it_had_changed) {
  const std::vector<Refusal> found =
      find_refusals(pair_of([](Recording& run) { run.create("own", 8).exit(3); }));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().runner, 1u);
  EXPECT_TRUE(found.front().has_changed("own"));
  EXPECT_FALSE(found.front().has_changed("other"));
}

TEST(Refusal, may_miss_what_it_never_made) {
  EXPECT_EQ(refusals_after([](Recording& run) { missing(run, Kind::kUnlink, "other"); }), 1u);
}

TEST(Refusal, is_not_what_comes_of_a_name_that_was_taken_away) {
  EXPECT_EQ(refusals_after([](Recording& run) {
              run.create("own", 8);
              missing(run, Kind::kUnlink, "own");
            }),
            0u);
  EXPECT_EQ(refusals_after([](Recording& run) {
              run.add(Kind::kMakeDirectory, "lock", "", 9, "");
              missing(run, Kind::kRemoveDirectory, "lock");
            }),
            0u);
  EXPECT_EQ(refusals_after([](Recording& run) {
              run.create("own", 8).rename("own", "state", 8);
              missing(run, Kind::kUnlink, "state");
            }),
            0u);
  EXPECT_EQ(refusals_after([](Recording& run) {
              run.add(Kind::kLink, "other", "lock", 7, "");
              missing(run, Kind::kUnlink, "lock");
            }),
            0u);
}

TEST(Refusal, is_not_what_comes_of_a_folder_that_was_taken_away) {
  EXPECT_EQ(refusals_after([](Recording& run) {
              run.add(Kind::kMakeDirectory, "work", "", 9, "");
              missing(run, Kind::kOpen, "work/x");
            }),
            0u);
}

TEST(Refusal, may_miss_what_it_gave_away_itself) {
  EXPECT_EQ(refusals_after([](Recording& run) {
              run.create("own", 8).rename("own", "state", 8);
              missing(run, Kind::kUnlink, "own");
            }),
            1u);
  EXPECT_EQ(refusals_after([](Recording& run) {
              run.add(Kind::kMakeDirectory, "work", "", 9, "").create("work/x", 8);
              run.rename("work", "done", 9);
              missing(run, Kind::kUnlink, "work/x");
            }),
            1u);
}

}  // namespace
}  // namespace everycrash
