// Which names are made from another one: f.tmp, f.json.new, .f.swp from f.json.
//
// A guess by the shape of a name, and for people only: a message says where else the content of a
// file lies. No verdict rests on it. Which names hold that content is looked at; the name keeps out
// files that hold the same by chance. A rename or link that the recorded run makes between the two
// would say it without a guess.
#pragma once

#include <string_view>

namespace everycrash {

/// True if NAME, of a file beside PATH, is made from its name.
[[nodiscard]] bool is_named_after(std::string_view name, std::string_view path);

}  // namespace everycrash
