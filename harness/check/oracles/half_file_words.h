// In words: what a file holds that holds none of its versions, and where one of them still is.
#pragma once

#include <string>

#include "harness/check/history.h"
#include "harness/model/file_system.h"

namespace everycrash {

/// What is wrong with PATH in STATE, where it holds no version of NAME: "f is half written: bytes
/// 4096 to 4999 are zero; f.old holds what it was before the run". Compares bytes with what the
/// file was before the run and what it was in the end, the versions whose bytes HISTORY has.
[[nodiscard]] std::string half_file_message(const History& history, const std::string& path,
                                            const NameHistory& name, const FileSystem& state);

/// "f.old holds its last version": which file beside PATH has, whole, what PATH should have: one
/// that the run took away again, or one that is named after PATH; or, where the folder of PATH is
/// missing, one in a folder that is named after that. "" if there is none.
[[nodiscard]] std::string version_beside(const History& history, const std::string& path,
                                         const NameHistory& name, const FileSystem& state);

}  // namespace everycrash
