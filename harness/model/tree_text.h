// Trees as text, for validation and tests of persistence models.
#pragma once

#include <string>

#include "harness/model/file_system.h"

namespace everycrash {

/// One line for a whole tree: `a="hello" d/ d/b=[x*2500 0*1596 ~*9] l->a` (~: old blocks),
/// "(empty)" for nothing. Other than usual modes, attributes and second names are shown:
/// a=""{mode=600 u.x=1 links=2}.
[[nodiscard]] std::string tree_text(const FileSystem& tree);

}  // namespace everycrash
