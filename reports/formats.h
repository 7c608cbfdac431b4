// The texts that a result document is drawn as, each by its name: the one table from which
// `everycrash export` knows them. A new one is a file like its neighbours and a line in formats.cc.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "reports/result.h"

namespace everycrash::reports {

struct Format {
  std::string_view name;
  /// Files of source lines are relative to ROOT.
  std::string (*draw)(const ResultDocument& document, std::string_view root);
};

/// In the order in which help lists them. They live as long as the program.
[[nodiscard]] std::span<const Format> formats();

/// The one of that name; null if there is none.
[[nodiscard]] const Format* find_format(std::string_view name);

}  // namespace everycrash::reports
