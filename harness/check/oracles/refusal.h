// Which of two runners at once was refused: it ended by an exit status that is not 0, and not
// because the other had taken away what it had made for itself. One that died by a signal said
// nothing, and one that finds its own names gone has lost to the other, which is what is looked
// for.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/trace/trace.h"

namespace everycrash {

/// A runner that was refused, and what it had done by then. A value.
struct Refusal {
  uint32_t runner = 0;
  std::set<std::string, std::less<>> changed;  ///< names, relative to the state directory

  [[nodiscard]] bool has_changed(std::string_view path) const { return changed.contains(path); }
};

/// The runners of TRACE that were refused, none to two.
[[nodiscard]] std::vector<Refusal> find_refusals(const Trace& trace);

}  // namespace everycrash
