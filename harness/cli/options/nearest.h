// "Did you mean": the word that is closest to one that does not exist.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace everycrash::cli {

/// Number of letters to insert, delete or change to make A into B (Levenshtein).
[[nodiscard]] size_t edit_distance(std::string_view a, std::string_view b);

/// The entry of KNOWN with the smallest distance to WORD, if it is near enough to be meant; else
/// "".
[[nodiscard]] std::string nearest(std::string_view word, const std::vector<std::string>& known);

}  // namespace everycrash::cli
