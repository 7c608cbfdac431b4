#include "reports/result_json.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <limits>
#include <type_traits>
#include <utility>

#include "harness/base/quoting.h"
#include "reports/result_members.h"

namespace everycrash::reports {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSchemaFamily = "everycrash-result/";

/// The values that a word of a document can mean, of which name_of() says the words; and what a
/// word is not that means none of them.
template <typename Word>
struct Vocabulary;
template <>
struct Vocabulary<Outcome> {
  static constexpr const char* kComplaint = "is no verdict";
  static constexpr std::array kValues = {Outcome::kSurvived, Outcome::kViolated,
                                         Outcome::kNotMeasured, Outcome::kHarnessBroken,
                                         Outcome::kNothing};
};
template <>
struct Vocabulary<CrashKind> {
  static constexpr const char* kComplaint = "is no crash kind";
  static constexpr std::array kValues = {
      CrashKind::kKill,  CrashKind::kPower, CrashKind::kLostFsync,  CrashKind::kIoError,
      CrashKind::kClock, CrashKind::kAgain, CrashKind::kConcurrent, CrashKind::kChaos};
};
template <>
struct Vocabulary<OutsideEvent::Kind> {
  static constexpr const char* kComplaint = "is neither a step nor an effect";
  static constexpr std::array kValues = {OutsideEvent::Kind::kStep, OutsideEvent::Kind::kEffect};
};
template <>
struct Vocabulary<Sighting> {
  static constexpr const char* kComplaint = "says not whether something was seen";
  static constexpr std::array kValues = {Sighting::kSeen, Sighting::kAlike, Sighting::kNotSeen,
                                         Sighting::kNotSearched, Sighting::kNotAsked};
};

/// Builds one JSON object from the members that visit() hands it.
class Writer {
 public:
  template <typename T>
  void member(const char* name, const T& value) {
    object_[name] = value_of(value);
  }
  template <typename T>
  void unless_default(const char* name, const T& value) {
    if (!(value == T{})) member(name, value);
  }
  [[nodiscard]] Json take() { return std::move(object_); }

 private:
  static Json value_of(const std::string& text) { return valid_utf8(text); }
  template <typename T>
  static Json value_of(const AsText<T>& number) {
    return std::to_string(number.value);
  }
  template <typename T>
  static Json value_of(const std::optional<T>& value) {
    return value_of(*value);
  }
  template <typename T>
  static Json value_of(const std::vector<T>& list) {
    Json array = Json::array();
    for (const T& item : list) array.push_back(value_of(item));
    return array;
  }
  template <typename T>
  static Json value_of(const T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
      return value;
    } else if constexpr (std::is_enum_v<T>) {
      return std::string(name_of(value));
    } else {
      Writer writer;
      visit(writer, value, static_cast<T*>(nullptr));
      return writer.take();
    }
  }

  Json object_ = Json::object();
};

/// Fills a struct from one JSON object; keeps the first thing that is wrong, with the place of it
/// ("findings[2].id is missing").
class Reader {
 public:
  Reader(const Json& object, std::string place, std::string& problem)
      : object_(object), place_(std::move(place)), problem_(problem) {}

  template <typename T>
  void member(const char* name, T&& value) {
    const auto found = object_.find(name);
    if (found == object_.end()) {
      complain(place_of(name), "is missing");
    } else {
      read(*found, place_of(name), value);
    }
  }
  template <typename T>
  void unless_default(const char* name, T& value) {
    if (object_.contains(name)) member(name, value);
  }

 private:
  [[nodiscard]] std::string place_of(const char* name) const {
    return place_.empty() ? name : fmt::format("{}.{}", place_, name);
  }
  void complain(const std::string& place, std::string_view what) {
    if (problem_.empty()) problem_ = fmt::format("{} {}", place, what);
  }

  void read(const Json& json, const std::string& place, std::string& text) {
    if (!json.is_string()) return complain(place, "is not text");
    text = json.get<std::string>();
  }
  void read(const Json& json, const std::string& place, bool& value) {
    if (!json.is_boolean()) return complain(place, "is neither true nor false");
    value = json.get<bool>();
  }
  void read(const Json& json, const std::string& place, AsText<uint64_t>& number) {
    std::string text;
    read(json, place, text);
    if (text.empty() || text.size() > 20 ||
        text.find_first_not_of("0123456789") != std::string::npos) {
      return complain(place, "is not a number written as text");
    }
    errno = 0;
    number.value = std::strtoull(text.c_str(), nullptr, 10);
    if (errno != 0) complain(place, "is out of range");
  }
  template <typename T>
  void read(const Json& json, const std::string& place, std::optional<T>& value) {
    read(json, place, value.emplace());
  }
  template <typename T>
  void read(const Json& json, const std::string& place, std::vector<T>& list) {
    if (!json.is_array()) return complain(place, "is not a list");
    list.reserve(json.size());
    for (size_t i = 0; i < json.size() && problem_.empty(); ++i) {
      read(json[i], fmt::format("{}[{}]", place, i), list.emplace_back());
    }
  }
  template <typename T>
  void read(const Json& json, const std::string& place, T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
      read_number(json, place, value);
    } else if constexpr (std::is_enum_v<T>) {
      read_word(json, place, value);
    } else {
      if (!json.is_object()) return complain(place, "is not an object");
      Reader reader(json, place, problem_);
      visit(reader, value, static_cast<T*>(nullptr));
    }
  }
  template <typename T>
  void read_word(const Json& json, const std::string& place, T& value) {
    std::string word;
    read(json, place, word);
    for (const T known : Vocabulary<T>::kValues) {
      if (word == name_of(known)) {
        value = known;
        return;
      }
    }
    complain(place, Vocabulary<T>::kComplaint);
  }
  template <typename T>
  void read_number(const Json& json, const std::string& place, T& value) {
    if (!json.is_number_integer()) return complain(place, "is not a whole number");
    const bool in_range = json.is_number_unsigned() ? std::in_range<T>(json.get<uint64_t>())
                                                    : std::in_range<T>(json.get<int64_t>());
    if (!in_range) return complain(place, "is out of range");
    value = json.get<T>();
  }

  const Json& object_;
  std::string place_;
  std::string& problem_;
};

tl::unexpected<Error> damaged(std::string_view name, std::string_view what) {
  return harness_error(
      fmt::format("{}: the result document is damaged: {}.\nRun the test again, or take an "
                  "undamaged copy.",
                  name, printable(what)));
}

/// For what is something else altogether: WHY.
tl::unexpected<Error> foreign(std::string_view name, std::string_view why) {
  return harness_error(fmt::format(
      "{}: not an everycrash result ({}).\nGive the result.json that `everycrash test --json FILE` "
      "wrote.",
      name, why));
}

Status check_schema(const Json& json, std::string_view name) {
  const std::string why = fmt::format("its \"schema\" is not \"{}\"", kSchema);
  if (!json.is_object()) return foreign(name, why);
  const auto schema = json.find("schema");
  if (schema == json.end() || !schema->is_string()) return foreign(name, why);
  const auto text = schema->get<std::string>();
  if (!text.starts_with(kSchemaFamily)) return foreign(name, why);
  if (text == kSchema) return {};
  return harness_error(
      fmt::format("{}: has schema \"{}\", this everycrash reads \"{}\" only.\nUse the everycrash "
                  "that wrote it, or run the test again with this one.",
                  name, printable(text), kSchema));
}

}  // namespace

std::string to_json(const ResultDocument& document, Layout layout) {
  Json json = Json::object();
  json["schema"] = kSchema;
  Writer writer;
  visit(writer, document, static_cast<ResultDocument*>(nullptr));
  json.update(writer.take());
  return json.dump(layout == Layout::kLines ? 1 : -1) + "\n";
}

Result<ResultDocument> parse_document(std::string_view text, std::string_view name) {
  std::string problem;
  ResultDocument document;
  try {
    const Json json = Json::parse(text);
    if (Status ok = check_schema(json, name); !ok) return tl::unexpected(ok.error());
    Reader reader(json, "", problem);
    visit(reader, document, static_cast<ResultDocument*>(nullptr));
  } catch (const Json::exception& error) {
    if (!text.empty() && !text.starts_with('{')) return foreign(name, "it is no JSON object");
    std::string_view what = error.what();  // "[json.exception.parse_error.101] parse error ..."
    if (what.starts_with('[')) what.remove_prefix(std::min(what.size(), what.find("] ") + 2));
    return damaged(name, what);
  }
  if (problem.empty()) problem = dangling_index(document);
  if (!problem.empty()) return damaged(name, problem);
  return document;
}

}  // namespace everycrash::reports
