// Spare copies that are forgiven, since the file itself is whole. Which names are spare copies is a
// guess (name_guesses.h); that the file is whole is looked at.
#pragma once

#include <string_view>

#include "harness/check/history.h"
#include "harness/model/file_system.h"

namespace everycrash {

/// True if PATH is a spare copy, and STATE holds a whole version of its original.
[[nodiscard]] bool is_spared_by_original(std::string_view path, const History& history,
                                         const FileSystem& state);

}  // namespace everycrash
