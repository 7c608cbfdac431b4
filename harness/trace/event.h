// Step markers and effects: the lines that a workload writes to the file named by
// $EVERYCRASH_EVENTS.
//
//   step NAME                  the workload has come to a place that a person can name
//   effect KIND KEY [DETAIL]   something was done to the outside; KIND and KEY tell what, once
//
// A DETAIL that begins with the word "repeatable" says that doing it again has no further effect:
// the receiver knows the key, or the request is one that may be repeated.
#pragma once

#include <string_view>
#include <vector>

namespace everycrash {

/// A view of one line. Lines of another form have neither step nor kind.
struct Event {
  std::string_view line;    ///< without its newline
  std::string_view step;    ///< of a step marker
  std::string_view kind;    ///< of an effect
  std::string_view key;     ///< of an effect
  std::string_view detail;  ///< of an effect: the rest of the line
  [[nodiscard]] bool is_repeatable() const {
    return detail == "repeatable" || detail.starts_with("repeatable ");
  }
  [[nodiscard]] bool is_step() const { return !step.empty(); }
  [[nodiscard]] bool is_effect() const { return !kind.empty(); }
};

/// The whole lines of TEXT, in order; an incomplete last line does not count.
[[nodiscard]] std::vector<Event> parse_events(std::string_view text);

}  // namespace everycrash
