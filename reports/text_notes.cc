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

std::string times_of(uint64_t occurrences) {
  return occurrences > 1 ? fmt::format(" ({} times)", grouped(occurrences)) : "";
}

/// The frame to show first, "" if there is no stack.
std::string frame_of(const TextContext& context, const Note& note) {
  if (note.stack == kNoStack) return "";
  const Stack& stack = context.document.stacks[static_cast<size_t>(note.stack)];
  return text_of_frame(context.document.frames[stack.frames[stack.user_frame]], context.style);
}

/// A place in the program as a line shows it: FILE, what is said of it, how often, and the frame.
struct Place {
  std::string file, frame;
  uint64_t occurrences = 0;
  StackIndex stack = kNoStack;
};

/// The places of GROUP; SAME: nothing is said of one alone. But for the verbose report, which has
/// all stacks, those that read the same are one.
std::vector<Place> places_of(const TextContext& context, const Group& group, bool same) {
  std::vector<Place> places;
  for (const Note* note : group) {
    Place place{printable(note->path), frame_of(context, *note), note->occurrences, note->stack};
    if (!same) place.file += (place.file.empty() ? "" : ": ") + printable(note->message);
    const auto known = std::find_if(places.begin(), places.end(), [&](const Place& other) {
      return other.file == place.file && other.frame == place.frame;
    });
    if (known == places.end() || context.detail == Detail::kVerbose) {
      places.push_back(std::move(place));
    } else {
      known->occurrences += place.occurrences;
    }
  }
  return places;
}

std::string text_of_place(const TextContext& context, const Place& place) {
  std::string line = place.file + times_of(place.occurrences);
  if (context.detail == Detail::kVerbose) {
    return fmt::format("    {}\n{}", line, text_of_stack(context, place.stack, "      "));
  }
  if (!place.frame.empty()) line += fmt::format("{}in {}", line.empty() ? "" : ", ", place.frame);
  return fmt::format("    {}\n", line);
}

std::string text_of_group(const TextContext& context, const Group& group) {
  const Note& first = *group.front();
  const bool same = say_the_same(group);
  std::string text = fmt::format("  {}{}\n", context.style.unsure(printable(first.rule)),
                                 same ? ": " + printable(first.message) : "");
  // One that is about no file and no place is said whole by the line above.
  if (group.size() == 1 && first.path.empty() && first.stack == kNoStack) {
    text.insert(text.size() - 1, times_of(first.occurrences));
    return text;
  }
  const std::vector<Place> places = places_of(context, group, same);
  const size_t shown =
      context.detail == Detail::kVerbose ? places.size() : std::min(places.size(), kPlacesShown);
  for (size_t i = 0; i < shown; ++i) text += text_of_place(context, places[i]);
  if (shown < places.size()) {
    text += fmt::format("    (and {}: --verbose)\n", counted(places.size() - shown, "more place"));
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
