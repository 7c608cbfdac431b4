#include "reports/text_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "harness/base/quoting.h"
#include "reports/text.h"

namespace everycrash::reports {
namespace {

constexpr size_t kPlacesShown = 5;  // of one rule

/// Notes of one rule.
using Group = std::vector<const Note*>;

/// In the order in which the rules first appear.
std::vector<Group> groups_of(const std::vector<Note>& notes) {
  std::vector<Group> groups;
  for (const Note& note : notes) {
    const auto known = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      return group.front()->rule == note.rule;
    });
    if (known == groups.end()) {
      groups.push_back({&note});
    } else {
      known->push_back(&note);
    }
  }
  return groups;
}

/// True if one sentence says it of all of them.
bool say_the_same(const Group& group) {
  return std::all_of(group.begin(), group.end(),
                     [&](const Note* note) { return note->message == group.front()->message; });
}

std::string times_of(const Note& note) {
  return note.occurrences > 1 ? fmt::format(" ({} times)", grouped(note.occurrences)) : "";
}

/// The frame to show first, "" if there is no stack.
std::string frame_of(const TextContext& context, const Note& note) {
  if (note.stack == kNoStack) return "";
  const Stack& stack = context.document.stacks[static_cast<size_t>(note.stack)];
  return text_of_frame(context.document.frames[stack.frames[stack.user_frame]], context.style);
}

/// A place in the program where SAID is so, in a line; verbose, with its stack.
std::string text_of_place(const TextContext& context, const Note& note, const std::string& said) {
  std::string line = note.path.empty() ? "" : printable(note.path);
  if (!said.empty()) line += (line.empty() ? "" : ": ") + printable(said);
  line += times_of(note);
  if (context.detail == Detail::kVerbose) {
    return fmt::format("    {}\n{}", line, text_of_stack(context, note.stack, "      "));
  }
  const std::string frame = frame_of(context, note);
  if (!frame.empty()) line += fmt::format("{}in {}", line.empty() ? "" : ", ", frame);
  return fmt::format("    {}\n", line);
}

std::string text_of_group(const TextContext& context, const Group& group) {
  const Note& first = *group.front();
  const bool same = say_the_same(group);
  std::string text = fmt::format("  {}{}\n", context.style.unsure(printable(first.rule)),
                                 same ? ": " + printable(first.message) : "");
  // One that is about no file and no place is said whole by the line above.
  if (group.size() == 1 && first.path.empty() && first.stack == kNoStack) {
    text.insert(text.size() - 1, times_of(first));
    return text;
  }
  const size_t shown =
      context.detail == Detail::kVerbose ? group.size() : std::min(group.size(), kPlacesShown);
  for (size_t i = 0; i < shown; ++i) {
    text += text_of_place(context, *group[i], same ? "" : group[i]->message);
  }
  if (shown < group.size()) {
    text += fmt::format("    (and {}: --verbose)\n", counted(group.size() - shown, "more place"));
  }
  return text;
}

}  // namespace

std::string text_of_notes(const TextContext& context) {
  if (context.document.notes.empty()) return "";
  std::string text = "\n" + context.style.bold("Notes (no verdicts)") + "\n";
  for (const Group& group : groups_of(context.document.notes)) {
    text += text_of_group(context, group);
  }
  return text;
}

}  // namespace everycrash::reports
