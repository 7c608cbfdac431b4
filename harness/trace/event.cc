#include "harness/trace/event.h"

namespace everycrash {
namespace {

/// Cuts the first word off TEXT and returns it.
std::string_view take_word(std::string_view& text) {
  const size_t end = text.find(' ');
  const std::string_view word = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return word;
}

}  // namespace

std::vector<Event> parse_events(std::string_view text) {
  std::vector<Event> events;
  for (size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    Event event{.line = text.substr(0, end)};
    text.remove_prefix(end + 1);
    std::string_view rest = event.line;
    const std::string_view word = take_word(rest);
    if (word == "step") {
      event.step = rest;
    } else if (word == "effect") {
      event.kind = take_word(rest);
      event.key = take_word(rest);
      event.detail = rest;
    }
    events.push_back(event);
  }
  return events;
}

}  // namespace everycrash
