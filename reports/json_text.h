// JSON as text, for formats that are written once and in a fixed order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace everycrash::reports {

/// TEXT as a JSON string with its quotes. Bytes that are no UTF-8 are written as the four
/// characters \xNN. Pure, thread-safe.
[[nodiscard]] std::string json_quote(std::string_view text);

/// An object whose members come out in the order in which they were added. A value; not
/// thread-safe.
class JsonObject {
 public:
  /// VALUE is JSON already. Names are not escaped: they are the program's own.
  JsonObject& add(std::string_view name, std::string_view value);
  JsonObject& add_text(std::string_view name, std::string_view text);
  JsonObject& add_number(std::string_view name, int64_t number);
  JsonObject& add_truth(std::string_view name, bool truth);
  JsonObject& add_list(std::string_view name, const std::vector<std::string>& values);
  [[nodiscard]] std::string text() const { return "{" + members_ + "}"; }

 private:
  std::string members_;
};

/// VALUES, which are JSON already, as an array.
[[nodiscard]] std::string json_list(const std::vector<std::string>& values);

}  // namespace everycrash::reports
