// Copies that programs keep aside: f~, f.~3~, f.bak, f.old, f-old, f.orig beside f.
//
// One that is gone for a moment, half written, or behind, harms nobody as long as the file itself
// is whole: dpkg unlinks status-old before it links the next one, editors write f~ first.
//
// A guess by the shape of a name: nothing in one recorded run tells a spare copy from a file that
// somebody reads. A second undisturbed run on a state without the copy would (selection.h has the
// place where such runs are made): where it ends in the same tree, nobody had needed it.
#pragma once

#include <string>
#include <string_view>

#include "harness/check/history.h"
#include "harness/model/file_system.h"

namespace everycrash {

/// The name that PATH is a spare copy of, by its name alone; "" if it is none.
[[nodiscard]] std::string original_of(std::string_view path);

/// True if PATH is a spare copy, and STATE holds a whole version of its original.
[[nodiscard]] bool is_spared_by_original(std::string_view path, const History& history,
                                         const FileSystem& state);

}  // namespace everycrash
