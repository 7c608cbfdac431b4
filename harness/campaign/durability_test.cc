#include "harness/campaign/durability.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/campaign/facts.h"
#include "harness/model/persistence_model.h"
#include "harness/trace/recording_for_test.h"

namespace everycrash {
namespace {

using testing::ElementsAre;

/// From when on the records of a trace are durable on ext4.
std::vector<int64_t> durability_of(const Trace& trace) {
  const PersistenceRules& rules = **find_model("ext4");
  const UnitHistory units = *expand(trace, rules);
  return durable_since(trace, units, Floor::compute(trace, units, rules));
}

TEST(DurableSince, is_the_sync_that_guarantees_all_of_it) {
  Recording recording;
  const Trace trace = recording.create("a", 10).write("a", 10, 0, "data").fsync("a", 10).finish();
  EXPECT_THAT(durability_of(trace), ElementsAre(3, 3, 0)) << "a sync itself has nothing to lose";
}

TEST(DurableSince, is_never_without_a_sync) {
  Recording recording;
  const Trace trace = recording.create("a", 10).write("a", 10, 0, "data").finish();
  EXPECT_THAT(durability_of(trace), ElementsAre(kNeverDurable, kNeverDurable));
}

TEST(DurableSince, is_where_what_hides_it_became_durable) {
  Recording recording;
  const Trace trace = recording.create("a", 10)
                          .write("a", 10, 0, "old!")
                          .write("a", 10, 0, "new!")
                          .fsync("a", 10)
                          .finish();
  EXPECT_THAT(durability_of(trace), ElementsAre(4, 4, 4, 0));
}

}  // namespace
}  // namespace everycrash
