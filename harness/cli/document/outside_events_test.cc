#include "harness/cli/document/outside_events.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace everycrash::cli {
namespace {

using Kind = reports::OutsideEvent::Kind;
using testing::ElementsAre;

Operation with_events(std::string_view lines) {
  Operation operation;
  operation.events = lines;
  return operation;
}

TEST(OutsideEvents, are_steps_and_effects_in_their_order) {
  EXPECT_THAT(outside_events(with_events("step begin\neffect charge order-17 repeatable\nother\n")),
              ElementsAre(reports::OutsideEvent{Kind::kStep, "begin", false},
                          reports::OutsideEvent{Kind::kEffect, "charge order-17", true}));
}

TEST(OutsideEvents, are_none_where_a_line_has_no_end) {
  EXPECT_TRUE(outside_events(with_events("effect charge order-17")).empty());
}

TEST(OutsideEvents, of_one_operation_are_bounded) {
  std::string lines;
  for (int i = 0; i < 100; ++i) lines += "effect mail " + std::to_string(i) + "\n";
  EXPECT_EQ(outside_events(with_events(lines)).size(), reports::kEventsMax);
}

TEST(AddEffects, adds_each_effect_once_and_no_step) {
  std::vector<std::string> effects = {"mail a"};
  add_effects(with_events("step begin\neffect mail a\neffect mail b\neffect mail b\n"), effects);
  EXPECT_THAT(effects, ElementsAre("mail a", "mail b"));
}

}  // namespace
}  // namespace everycrash::cli
