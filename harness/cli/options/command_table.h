// All commands and options as plain data, and what is drawn from it: help, the manual page, and the
// completions of shells. So none of them can know an option that another does not. Pure functions,
// thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace everycrash::cli {

/// A word that an option knows.
struct OptionWord {
  std::string word;
  std::string meaning = {};  ///< "" = it says itself what it means
};

/// What can be put in for a value where no words are known.
enum class OptionTakes : uint8_t { kText, kNumber, kFile, kFolder };

/// What is known of the value that an option takes.
struct OptionFacts {
  OptionTakes takes = OptionTakes::kText;
  bool is_list = false;           ///< several, with commas between
  std::vector<OptionWord> words;  ///< that it knows
  std::string others;             ///< what it takes besides them: "or a REGEX for lines"
  std::string fallback;           ///< what counts where it is not given, "" = not told
  std::string zero;               ///< what 0 means, "" = nothing special
};

struct OptionRow {
  std::vector<std::string> names;  ///< "-q", "--quiet"; "RESULT" for a positional one
  std::string help;                ///< without what the facts tell: see meaning_of()
  std::string group;               ///< "" = no group
  bool takes_value = false;
  std::string value;  ///< what it takes, as help shows it: "TIME"
  bool positional = false;
  bool required = false;
  std::string environment;  ///< variable that stands for it, "" = none
  OptionFacts facts = {};
};

/// What OPTION is for, its words and its default: "which: always, never or auto (default: auto)".
[[nodiscard]] std::string meaning_of(const OptionRow& option);

struct CommandRow {
  std::string name;  ///< "test", "scenario run"
  std::string help;
  std::vector<OptionRow> options;
  bool has_commands = false;  ///< it is the first word of others: "scenario"
};

/// Every command of this program.
[[nodiscard]] std::vector<CommandRow> command_table();

/// Lines that a screen holds, and columns.
inline constexpr size_t kScreenLines = 24;
inline constexpr size_t kScreenColumns = 80;

/// Help for the whole program; fits a screen.
[[nodiscard]] std::string program_help(const std::vector<CommandRow>& table,
                                       std::string_view introduction, std::string_view footer);

/// Help for one command. Where it would not fit a screen, everyday options are told with a line
/// each and the others only named, unless ALL.
[[nodiscard]] std::string command_help(const CommandRow& command, bool all);

/// The commands of COMMAND, such as "run" of "scenario", a line each; "" if it has none.
[[nodiscard]] std::string inner_commands_help(const std::vector<CommandRow>& table,
                                              std::string_view command);

/// The manual page, in the man macros of groff.
[[nodiscard]] std::string man_page(const std::vector<CommandRow>& table,
                                   std::string_view introduction, std::string_view footer);

/// The completion script for SHELL: "bash", "zsh" or "fish".
[[nodiscard]] std::string completion_script(const std::vector<CommandRow>& table,
                                            std::string_view shell);

}  // namespace everycrash::cli
