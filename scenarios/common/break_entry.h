// One way to break a scenario's program, and what is looked up in a table of them.
#pragma once

#include <cstdio>
#include <span>
#include <string>
#include <string_view>

#include "scenarios/common/failure.h"

namespace scenarios {

/// BREAK is an enumeration with a value kNone, which has no entry.
template <typename Break>
struct BreakEntry {
  Break value;
  std::string_view name;
  /// The expectation: the crash kinds under which it must be found, blank-separated. A kind is a
  /// word of `everycrash test --crash`, or `concurrent` (a second runner) or `clock`;
  /// `power:posix+xfs` names the only models that show it.
  std::string_view found_under;
  std::string_view mistake;  ///< one line
  /// What the checker says of it, in part; "A|B" = one of these. "" = not laid down.
  std::string_view signs;
};

/// The break of that name in TABLE; a failure that tells how to have PROGRAM list them.
template <typename Break>
[[nodiscard]] Expected<Break> find_break(std::span<const BreakEntry<Break>> table,
                                         std::string_view name, std::string_view program) {
  for (const BreakEntry<Break>& entry : table) {
    if (entry.name == name) return entry.value;
  }
  return failed("There is no break named '" + std::string(name) + "'; `" + std::string(program) +
                " --list-breaks` prints them.");
}

/// "none" for what TABLE does not hold.
template <typename Break>
[[nodiscard]] std::string_view find_break_name(std::span<const BreakEntry<Break>> table,
                                               Break value) {
  for (const BreakEntry<Break>& entry : table) {
    if (entry.value == value) return entry.name;
  }
  return "none";
}

/// To standard output, a line each: what `everycrash scenario` reads.
template <typename Break>
void list_breaks(std::span<const BreakEntry<Break>> table) {
  for (const BreakEntry<Break>& entry : table) {
    std::printf("%s\t%s\t%s\t%s\n", entry.name.data(), entry.found_under.data(),
                entry.mistake.data(), entry.signs.data());
  }
}

}  // namespace scenarios
