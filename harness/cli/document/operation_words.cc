#include "harness/cli/document/operation_words.h"

#include <fmt/format.h>

#include "harness/explore/point_names.h"
#include "harness/trace/printed_line.h"

namespace everycrash::cli {

std::string quoted_line(const Trace& trace, const Operation& record) {
  constexpr size_t kShown = 40;
  const std::string line = printed_line(trace, record);
  if (line.empty()) return "";
  return fmt::format("\"{}{}\"", line.substr(0, kShown), line.size() > kShown ? "..." : "");
}

std::string call_of(const Operation& operation) {
  if (operation.kind == Kind::kChangeMode) return describe(operation);
  return fmt::format("{}({})", name_of(operation.kind), point_path(operation));
}

std::string edge_of(const Operation& operation, bool records) {
  if (!operation.events.empty()) return describe_events(operation);
  const std::string text = describe(operation);
  const size_t blank = text.find(' ');
  return fmt::format("the {}{} ({})", text.substr(0, blank), records ? " that records it" : "",
                     blank == std::string::npos ? "" : text.substr(blank + 1));
}

std::string shown_path(std::string_view path) {
  return path.empty() ? "the state directory" : std::string(path);
}

}  // namespace everycrash::cli
