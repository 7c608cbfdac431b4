// What the paths of files of one kind have in common: "out/step-#.txt" of "out/step-017.txt".
//
// That numbers, long hexadecimal digits and random letters are data is a guess (name_guesses.h). It
// is for tables that show many files in one row, and for keys of causes where no source line tells
// the place (cause_words.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/trace/chance_names.h"

namespace everycrash {

/// Replaces every run of digits by '#', and names made for one process or at random: the pattern
/// that "out/step-017.txt" shares with its siblings.
[[nodiscard]] std::string path_pattern(std::string_view path, int32_t process);
/// The same; CHANCE knows what names of the run chance made.
[[nodiscard]] std::string path_pattern(std::string_view path, int32_t process,
                                       const ChanceNames& chance);

}  // namespace everycrash
