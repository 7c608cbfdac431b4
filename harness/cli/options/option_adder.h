// Adding options to a command line, each once and with all that is known of it: what it takes,
// which words it knows, its default. Parsing, help, manual and completions are all made from that.
//
// CLI11 is known to this, option_groups, command_options, command_line and usage_error alone.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/cli/options/command_table.h"

namespace everycrash::cli {

/// What CLI11 does not know of an option, and a command line as it is put together. An option is
/// known by its address, which stays as long as its command line.
using OptionFactsOf = std::unordered_map<const CLI::Option*, OptionFacts>;

/// WORDS as a list is given.
[[nodiscard]] std::string joined(const std::vector<std::string>& words);

/// What VALUE is without an option, as help tells it; "" where that can be told by no text.
template <typename T>
[[nodiscard]] std::string default_text(const T& value) {
  if constexpr (std::is_integral_v<T>) {
    return std::to_string(value);
  } else if constexpr (std::is_convertible_v<T, std::string>) {
    return value;
  } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
    return joined(value);
  } else {
    return "";
  }
}

/// An option that was just added; each call says one more thing of it. A view, not for keeping.
class AddedOption {
 public:
  AddedOption(CLI::Option* option, OptionFacts& facts, std::string initial)
      : option_(option), facts_(facts), initial_(std::move(initial)) {}

  /// What it takes, as help shows it: "TIME".
  AddedOption& takes(const std::string& value);
  AddedOption& takes_file(const std::string& value = "FILE");
  AddedOption& takes_folder();
  /// A whole number. What is not made of digits is refused: a negative number would else become a
  /// large one.
  AddedOption& takes_number(const std::string& value = "N");
  /// Several VALUEs, with commas between, or by naming the option again.
  AddedOption& takes_list(const std::string& value);

  /// The words that it knows. OTHERS: what else it takes.
  AddedOption& knows(std::vector<OptionWord> words, std::string others = "");
  /// The same, and anything else is refused.
  AddedOption& only_knows(std::vector<OptionWord> words);

  /// Help tells the default: the value that the option's variable has when it is added.
  AddedOption& with_default();
  /// The same in words, where no value stands for it.
  AddedOption& with_default(std::string words);
  /// What 0 means.
  AddedOption& with_zero(std::string meaning);

  /// A variable of the environment stands for it, too.
  AddedOption& in_environment();
  AddedOption& is_required();
  AddedOption& excludes(const AddedOption& other);
  /// From LEAST to MOST.
  AddedOption& within(uint64_t least, uint64_t most);
  /// Refuses what WHY gives a reason for.
  AddedOption& refuses(std::function<std::string(const std::string&)> why);
  /// May be given again; nothing in a value is a separator.
  AddedOption& may_be_repeated();

 private:
  CLI::Option* option_;
  OptionFacts& facts_;
  std::string initial_;
};

/// Adds options to one command, or to one group of a command's options. A view of both; not
/// thread-safe.
class OptionAdder {
 public:
  OptionAdder(CLI::App* app, OptionFactsOf& facts) : app_(app), facts_(&facts) {}

  /// A command of this one.
  [[nodiscard]] OptionAdder command(const std::string& name, const std::string& help) const {
    return {app_->add_subcommand(name, help), *facts_};
  }
  /// It does nothing without one of its commands.
  void needs_command() const { app_->require_subcommand(1); }
  /// WHAT is done once this command was read.
  void when_chosen(std::function<void()> what) const { app_->callback(std::move(what)); }
  [[nodiscard]] OptionAdder group(const std::string& name) const {
    return {app_->add_option_group(name), *facts_};
  }

  template <typename T>
  AddedOption add(const std::string& name, T& value, const std::string& help) const {
    return added(app_->add_option(name, value, help), default_text(value));
  }
  /// Without a value; given again it counts where VALUE is a number.
  template <typename T>
  AddedOption flag(const std::string& name, T& value, const std::string& help) const {
    return added(app_->add_flag(name, value, help), "");
  }

 private:
  [[nodiscard]] AddedOption added(CLI::Option* option, std::string initial) const {
    return {option, (*facts_)[option], std::move(initial)};
  }

  CLI::App* app_;
  OptionFactsOf* facts_;
};

/// "TIME" for an option that takes one.
[[nodiscard]] std::string value_of(const CLI::Option& option);

}  // namespace everycrash::cli
