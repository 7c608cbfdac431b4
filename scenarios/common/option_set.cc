#include "scenarios/common/option_set.h"

#include <charconv>
#include <utility>

namespace scenarios {
namespace {

constexpr int64_t kMaxLimitS = 3600;
constexpr int64_t kMaxOffsetS = int64_t{10} * 365 * 24 * 3600;

}  // namespace

Expected<int64_t> parse_number(const std::string& option, const std::string& text, int64_t least,
                               int64_t most) {
  int64_t value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error == std::errc() && end == last && value >= least && value <= most) return value;
  return failed(option + " takes a number from " + std::to_string(least) + " to " +
                std::to_string(most) + ", not '" + text + "'");
}

void OptionSet::add(std::string name, bool takes_value,
                    std::function<Outcome(const std::string&)> set,
                    std::function<std::optional<std::string>()> get) {
  options_.push_back({std::move(name), takes_value, std::move(set), std::move(get)});
}

void OptionSet::number(std::string name, int64_t least, int64_t most,
                       std::optional<int64_t>& value) {
  add(
      name, true,
      [name, least, most, &value](const std::string& text) {
        return parse_number(name, text, least, most).map([&value](int64_t number) {
          value = number;
        });
      },
      [&value] { return value ? std::optional(std::to_string(*value)) : std::nullopt; });
}

void OptionSet::text(std::string name, std::string& value) {
  add(
      std::move(name), true,
      [&value](const std::string& given) {
        value = given;
        return Outcome();
      },
      [&value] { return value.empty() ? std::nullopt : std::optional(value); });
}

void OptionSet::flag(std::string name, bool& value) {
  add(
      std::move(name), false,
      [&value](const std::string&) {
        value = true;
        return Outcome();
      },
      [&value] { return value ? std::optional(std::string()) : std::nullopt; });
}

Outcome OptionSet::parse(std::span<const std::string> arguments) const {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& name = arguments[i];
    const Option* known = nullptr;
    for (const Option& option : options_) {
      if (option.name == name) known = &option;
    }
    if (known == nullptr) {
      return failed("unknown option '" + name + "'; `" + program_ + " --help` lists them");
    }
    if (known->takes_value && ++i == arguments.size()) {
      return failed("option '" + name + "' needs a value");
    }
    if (const Outcome set = known->set(arguments[i]); !set) return set;
  }
  return {};
}

std::vector<std::string> OptionSet::arguments() const {
  std::vector<std::string> arguments;
  for (const Option& option : options_) {
    const std::optional<std::string> value = option.get();
    if (!value) continue;
    arguments.push_back(option.name);
    if (option.takes_value) arguments.push_back(*value);
  }
  return arguments;
}

void add_common_options(OptionSet& set, CommonOptions& options) {
  set.number("--clock-offset", -kMaxOffsetS, kMaxOffsetS, options.clock_offset_s);
  set.number("--limit", 1, kMaxLimitS, options.restart_limit_s);
}

}  // namespace scenarios
