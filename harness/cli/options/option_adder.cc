#include "harness/cli/options/option_adder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

namespace everycrash::cli {
namespace {

/// The variable of the environment that an option can be given by: "--max-states" is
/// EVERYCRASH_MAX_STATES.
std::string environment_name(const std::string& option) {
  std::string name = "EVERYCRASH_" + option;
  for (char& c : name) {
    c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return name;
}

}  // namespace

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ","));
}

std::string value_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

AddedOption& AddedOption::takes(const std::string& value) {
  option_->type_name(value);
  return *this;
}

AddedOption& AddedOption::takes_file(const std::string& value) {
  facts_.takes = OptionTakes::kFile;
  return takes(value);
}

AddedOption& AddedOption::takes_folder() {
  facts_.takes = OptionTakes::kFolder;
  return takes("FOLDER");
}

AddedOption& AddedOption::takes_number(const std::string& value) {
  facts_.takes = OptionTakes::kNumber;
  refuses([](const std::string& given) {
    const bool digits =
        !given.empty() && given.find_first_not_of("0123456789") == std::string::npos;
    return digits ? "" : fmt::format("'{}' is no whole number from 0 on", given);
  });
  return takes(value);
}

AddedOption& AddedOption::takes_list(const std::string& value) {
  facts_.is_list = true;
  option_->delimiter(',')->allow_extra_args(false);
  return takes(value);
}

AddedOption& AddedOption::knows(std::vector<OptionWord> words, std::string others) {
  facts_.words = std::move(words);
  facts_.others = std::move(others);
  return *this;
}

AddedOption& AddedOption::only_knows(std::vector<OptionWord> words) {
  knows(words);
  return refuses([words = std::move(words)](const std::string& given) -> std::string {
    std::vector<std::string> known;
    for (const OptionWord& word : words) {
      if (word.word == given) return "";
      known.push_back(word.word);
    }
    return fmt::format("'{}' is none of {}", given, fmt::join(known, ", "));
  });
}

AddedOption& AddedOption::with_default() {
  return with_default(initial_);
}

AddedOption& AddedOption::with_default(std::string words) {
  facts_.fallback = std::move(words);
  return *this;
}

AddedOption& AddedOption::with_zero(std::string meaning) {
  facts_.zero = std::move(meaning);
  return *this;
}

AddedOption& AddedOption::in_environment() {
  option_->envname(environment_name(option_->get_lnames().front()));
  return *this;
}

AddedOption& AddedOption::is_required() {
  option_->required();
  return *this;
}

AddedOption& AddedOption::excludes(const AddedOption& other) {
  option_->excludes(other.option_);
  return *this;
}

AddedOption& AddedOption::within(uint64_t least, uint64_t most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

AddedOption& AddedOption::refuses(std::function<std::string(const std::string&)> why) {
  option_->check(std::move(why), "");
  return *this;
}

AddedOption& AddedOption::may_be_repeated() {
  option_->allow_extra_args(false)->take_all();
  return *this;
}

}  // namespace everycrash::cli
