// Which argument of a command is a script: the program's code, and so a file of whoever typed the
// command, where all other arguments are files of the state directory.
//
// A script that begins with "#!" says which program runs it, and needs no guess. For others the
// name of the program is asked: python, sh and so on are known to run their first argument. That is
// a guess, and the only one here. That the file is there where the command was typed is not enough:
// what `touch notes` or `sort -u names -o names` is given may be there too, and would be changed
// outside the state directory. Watching an undisturbed run read the file as its first, and never
// write it, would replace the names; but such a run is only made when the command is known.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace everycrash {

/// The position in ARGV of the script that its program runs, seen from BASE, if it is there; 0 if
/// there is none.
[[nodiscard]] size_t script_argument(const std::vector<std::string>& argv,
                                     const std::filesystem::path& base);

}  // namespace everycrash
