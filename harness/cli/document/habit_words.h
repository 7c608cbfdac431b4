// What is said of habits that are often mistakes.
#pragma once

#include <string>

#include "harness/explore/habits.h"

namespace everycrash::cli {

/// One line for a person, about the file of the habit.
[[nodiscard]] std::string words_for(HabitKind kind);

}  // namespace everycrash::cli
