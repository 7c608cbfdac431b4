// Goes through a truth table row by row: for tests.
#pragma once

#include <gtest/gtest.h>

#include <iterator>
#include <vector>

#include "harness/check/truth_table.h"

namespace everycrash {

template <typename Fact, typename Outcome>
struct TruthCase {
  Facts<Fact> facts;
  Outcome then;
};

/// CASES has one for each row of TABLE, in its order: facts by which that row decides, and what it
/// must say.
template <typename Table, typename Fact, typename Outcome>
void expect_rows(const Table& table, const std::vector<TruthCase<Fact, Outcome>>& cases) {
  ASSERT_EQ(std::size(table), cases.size());
  EXPECT_TRUE(is_sound(table));
  for (size_t row = 0; row < cases.size(); ++row) {
    EXPECT_EQ(deciding_row(table, cases[row].facts), row);
    EXPECT_EQ(decide(table, cases[row].facts), cases[row].then) << "row " << row;
  }
}

}  // namespace everycrash
