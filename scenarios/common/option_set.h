// The options of a scenario's program, declared once: how they are read, and how they are handed on
// to the job that a checker starts again.
//
//   void add_options(OptionSet& set, JobOptions& options) {
//     set.number("--steps", 1, 1000, options.steps);
//     set.mistake(kBreaks, options.mistake);
//   }
//   const Expected<JobOptions> options = parse_options("my_scenario", add_options, arguments);
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/common/break_table.h"
#include "scenarios/common/failure.h"

namespace scenarios {

/// TEXT as a number from LEAST to MOST; a failure that names OPTION.
[[nodiscard]] Expected<int64_t> parse_number(const std::string& option, const std::string& text,
                                             int64_t least, int64_t most);

/// Points into the values that it was given, which must live as long. Not thread-safe.
class OptionSet {
 public:
  /// PROGRAM lists them when it is asked for --help.
  explicit OptionSet(std::string program) : program_(std::move(program)) {}

  template <std::integral Number>
  void number(std::string name, int64_t least, int64_t most, Number& value) {
    add(
        name, true,
        [name, least, most, &value](const std::string& text) {
          return parse_number(name, text, least, most).map([&value](int64_t number) {
            value = static_cast<Number>(number);
          });
        },
        [&value] { return std::optional(std::to_string(value)); });
  }
  /// One that need not be given.
  void number(std::string name, int64_t least, int64_t most, std::optional<int64_t>& value);
  /// Empty = not given.
  void text(std::string name, std::string& value);
  void flag(std::string name, bool& value);
  /// --break.
  template <typename Break>
  void mistake(const BreakTable<Break>& table, Break& value) {
    add(
        "--break", true,
        [&table, &value](const std::string& name) {
          return table.find(name).map([&value](Break found) { value = found; });
        },
        [&table, &value] {
          return value == Break::kNone ? std::nullopt
                                       : std::optional(std::string(table.name_of(value)));
        });
  }

  /// Sets the values as ARGUMENTS say; what they do not name stays as it is.
  [[nodiscard]] Outcome parse(std::span<const std::string> arguments) const;
  /// Arguments from which parse() makes the values that there are now.
  [[nodiscard]] std::vector<std::string> arguments() const;

 private:
  struct Option {
    std::string name;
    bool takes_value;
    std::function<Outcome(const std::string&)> set;
    std::function<std::optional<std::string>()> get;  ///< nothing where it need not be handed on
  };
  void add(std::string name, bool takes_value, std::function<Outcome(const std::string&)> set,
           std::function<std::optional<std::string>()> get);

  std::string program_;
  std::vector<Option> options_;
};

/// The options that ARGUMENTS give; what they do not name has its default.
template <typename Options>
[[nodiscard]] Expected<Options> parse_options(std::string_view program,
                                              void (*add_options)(OptionSet&, Options&),
                                              std::span<const std::string> arguments) {
  Options options;
  OptionSet set{std::string(program)};
  add_options(set, options);
  return set.parse(arguments).map([&] { return options; });
}

/// Arguments that make the same options again.
template <typename Options>
[[nodiscard]] std::vector<std::string> to_arguments(void (*add_options)(OptionSet&, Options&),
                                                    Options options) {
  OptionSet set("");
  add_options(set, options);
  return set.arguments();
}

/// What each scenario's job and checker are told.
struct CommonOptions {
  int64_t clock_offset_s = 0;  ///< how far the wall clock is off, as after it was set
  int restart_limit_s = 5;     ///< of check: how long a restarted job may take
};
void add_common_options(OptionSet& set, CommonOptions& options);

}  // namespace scenarios
