// The ways to break a scenario's program, as one table: what --break takes, and what is expected
// of everycrash.
#pragma once

#include <cstdio>
#include <span>
#include <string>
#include <string_view>

#include "scenarios/common/failure.h"

namespace scenarios {

/// BREAK is an enumeration that begins with kNone, which has no entry, and ends with kEnd.
template <typename Break>
struct BreakEntry {
  Break value;
  std::string_view name;
  /// The expectation: the crash kinds under which it must be found, blank-separated. A kind is a
  /// word of `everycrash test --crash`, or `concurrent` (a second runner) or `clock`;
  /// `power:posix+xfs` names the only models that show it.
  std::string_view found_under;
  std::string_view mistake;  ///< one line
  /// What the checker says of it, in part; "A|B" = one of these.
  std::string_view signs;
};

/// True if TEXT is made of words of that form, with blanks between.
[[nodiscard]] constexpr bool names_crash_kinds(std::string_view text) {
  constexpr std::string_view kKinds[] = {"kill",  "power", "lost-fsync", "io-error",
                                         "again", "clock", "concurrent"};
  while (true) {
    const std::string_view word = text.substr(0, text.find(' '));
    bool is_known = false;
    for (const std::string_view kind : kKinds) {
      is_known = is_known || word.substr(0, word.find(':')) == kind;
    }
    if (!is_known) return false;
    if (word.size() == text.size()) return true;
    text.remove_prefix(word.size() + 1);
  }
}

/// A view of entries that live as long as the program. What is wrong with them is an error of the
/// compiler.
template <typename Break>
class BreakTable {
 public:
  /// PROGRAM lists them when it is asked to.
  consteval BreakTable(std::string_view program, std::span<const BreakEntry<Break>> entries)
      : program_(program), entries_(entries) {
    if (entries.size() + 1 != static_cast<size_t>(Break::kEnd)) throw "not an entry for each break";
    for (size_t i = 0; i < entries.size(); ++i) {
      const BreakEntry<Break>& entry = entries[i];
      if (static_cast<size_t>(entry.value) != i + 1) throw "entries in another order than breaks";
      if (!names_crash_kinds(entry.found_under)) throw "a crash kind that there is not";
      if (entry.mistake.empty() || entry.signs.empty()) throw "a break that nothing is said of";
      for (size_t other = 0; other < i; ++other) {
        if (entries[other].name == entry.name) throw "two breaks of one name";
      }
    }
  }

  [[nodiscard]] constexpr std::string_view program() const { return program_; }
  [[nodiscard]] constexpr std::span<const BreakEntry<Break>> entries() const { return entries_; }

  /// The break of that name; a failure that tells how to have the program list them.
  [[nodiscard]] Expected<Break> find(std::string_view name) const {
    for (const BreakEntry<Break>& entry : entries_) {
      if (entry.name == name) return entry.value;
    }
    return failed("There is no break named '" + std::string(name) + "'; `" + std::string(program_) +
                  " --list-breaks` prints them.");
  }

  /// "none" for Break::kNone.
  [[nodiscard]] constexpr std::string_view name_of(Break value) const {
    return value == Break::kNone ? "none" : entries_[static_cast<size_t>(value) - 1].name;
  }

  /// To standard output, a line each: what `everycrash scenario` reads.
  void list() const {
    for (const BreakEntry<Break>& entry : entries_) {
      std::printf("%s\t%s\t%s\t%s\n", entry.name.data(), entry.found_under.data(),
                  entry.mistake.data(), entry.signs.data());
    }
  }

 private:
  std::string_view program_;
  std::span<const BreakEntry<Break>> entries_;
};

}  // namespace scenarios
