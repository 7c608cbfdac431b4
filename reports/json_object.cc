#include "reports/json_object.h"

#include <nlohmann/json.hpp>

#include <utility>

#include "harness/base/quoting.h"

namespace everycrash::reports {

using Json = nlohmann::ordered_json;

struct JsonObject::Value {
  Json json = Json::object();

  Json& operator[](std::string_view name) { return json[std::string(name)]; }
};

JsonObject::JsonObject() : value_(std::make_unique<Value>()) {}
JsonObject::JsonObject(JsonObject&& other) noexcept = default;
JsonObject& JsonObject::operator=(JsonObject&& other) noexcept = default;
JsonObject::~JsonObject() = default;

JsonObject& JsonObject::add(std::string_view name, JsonObject object) {
  (*value_)[name] = std::move(object.value_->json);
  return *this;
}

JsonObject& JsonObject::add_text(std::string_view name, std::string_view text) {
  (*value_)[name] = valid_utf8(text);
  return *this;
}

JsonObject& JsonObject::add_number(std::string_view name, int64_t number) {
  (*value_)[name] = number;
  return *this;
}

JsonObject& JsonObject::add_truth(std::string_view name, bool truth) {
  (*value_)[name] = truth;
  return *this;
}

JsonObject& JsonObject::add_list(std::string_view name, std::vector<JsonObject> objects) {
  Json list = Json::array();
  for (JsonObject& object : objects) list.push_back(std::move(object.value_->json));
  (*value_)[name] = std::move(list);
  return *this;
}

JsonObject& JsonObject::add_texts(std::string_view name, const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const std::string& text : texts) list.push_back(valid_utf8(text));
  (*value_)[name] = std::move(list);
  return *this;
}

std::string JsonObject::text(int indent) const {
  return value_->json.dump(indent);
}

}  // namespace everycrash::reports
