#include "reports/json_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/base/quoting.h"

namespace everycrash::reports {

std::string json_quote(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : valid_utf8(text)) {
    switch (c) {
      case '"':
        quoted += "\\\"";
        break;
      case '\\':
        quoted += "\\\\";
        break;
      case '\n':
        quoted += "\\n";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
          quoted += c;
        }
    }
  }
  return quoted + "\"";
}

JsonObject& JsonObject::add(std::string_view name, std::string_view value) {
  if (!members_.empty()) members_ += ",";
  members_ += fmt::format("\"{}\":{}", name, value);
  return *this;
}

JsonObject& JsonObject::add_text(std::string_view name, std::string_view text) {
  return add(name, json_quote(text));
}

JsonObject& JsonObject::add_number(std::string_view name, int64_t number) {
  return add(name, std::to_string(number));
}

JsonObject& JsonObject::add_truth(std::string_view name, bool truth) {
  return add(name, truth ? "true" : "false");
}

JsonObject& JsonObject::add_list(std::string_view name, const std::vector<std::string>& values) {
  return add(name, json_list(values));
}

std::string json_list(const std::vector<std::string>& values) {
  return fmt::format("[{}]", fmt::join(values, ","));
}

}  // namespace everycrash::reports
