// JSON objects for formats that are written once and in a fixed order; the JSON library behind them
// is known to the .cc alone.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace everycrash::reports {

/// An object whose members come out in the order in which they were added; adding a name again
/// replaces its value. Bytes of text that are no UTF-8 are written as the four characters \xNN.
/// Move-only, owns all that was added; not thread-safe.
class JsonObject {
 public:
  JsonObject();
  JsonObject(JsonObject&& other) noexcept;
  JsonObject& operator=(JsonObject&& other) noexcept;
  ~JsonObject();

  JsonObject& add(std::string_view name, JsonObject object);
  JsonObject& add_text(std::string_view name, std::string_view text);
  JsonObject& add_number(std::string_view name, int64_t number);
  JsonObject& add_truth(std::string_view name, bool truth);
  JsonObject& add_list(std::string_view name, std::vector<JsonObject> objects);
  JsonObject& add_texts(std::string_view name, const std::vector<std::string>& texts);

  /// On one line; with INDENT, a member a line, so many blanks deeper in each object.
  [[nodiscard]] std::string text(int indent = kOneLine) const;

  static constexpr int kOneLine = -1;

 private:
  struct Value;
  std::unique_ptr<Value> value_;
};

}  // namespace everycrash::reports
