#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "harness/cli/options/command_table.h"
#include "harness/cli/version.h"

namespace everycrash::cli {
namespace {

constexpr size_t kNameColumns = 18;

/// What most runs need; the others are told by --help-all.
constexpr std::string_view kEveryday[] = {
    "--init", "--check",  "--resume",  "--ack",   "--crash", "--fs",     "--budget",
    "--json", "--report", "--kill-at", "--quiet", "--for",   "--rounds", "--metrics"};
constexpr std::string_view kEverydayCommands[] = {"test",   "record", "explore",  "inject",
                                                  "replay", "report", "scenario", "merge",
                                                  "init",   "doctor"};

bool is_everyday(const OptionRow& option) {
  return option.positional ||
         std::any_of(std::begin(kEveryday), std::end(kEveryday), [&](auto known) {
           return std::find(option.names.begin(), option.names.end(), known) != option.names.end();
         });
}

/// TEXT in lines of at most WIDTH columns, broken at blanks.
std::vector<std::string> wrapped(std::string_view text, size_t width) {
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width)
      lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    lines.back() += word;
  }
  return lines;
}

/// A name and what it means, the meaning beside it.
std::string entry(const std::string& name, std::string_view meaning) {
  std::string text = fmt::format("  {:<{}}", name, kNameColumns);
  if (name.size() + 1 > kNameColumns) text += "\n" + std::string(kNameColumns + 2, ' ');
  const char* separator = "";
  for (const std::string& line : wrapped(meaning, kScreenColumns - kNameColumns - 3)) {
    text += separator + line;
    separator = "\n                    ";
  }
  return text + "\n";
}

/// The meaning, on one line beside the name: its first part where it is too long.
std::string short_entry(const std::string& name, std::string_view meaning) {
  constexpr size_t kWidth = kScreenColumns - kNameColumns - 3;
  if (meaning.size() > kWidth) {
    size_t cut = meaning.find_last_of(":;,(", kWidth - 3);
    if (cut == std::string_view::npos || cut < kWidth / 3) cut = meaning.rfind(' ', kWidth - 3);
    meaning = meaning.substr(0, cut);
    while (meaning.ends_with(' ')) meaning.remove_suffix(1);
    return fmt::format("  {:<{}}{}...\n", name, kNameColumns, meaning);
  }
  return fmt::format("  {:<{}}{}\n", name, kNameColumns, meaning);
}

std::string shown_name(const OptionRow& option) {
  const bool valued = option.takes_value && !option.positional && !option.value.empty();
  return fmt::format("{}{}", fmt::join(option.names, ", "), valued ? " " + option.value : "");
}

std::string usage_of(const CommandRow& command) {
  std::string text = fmt::format("everycrash {}", command.name);
  if (command.has_commands) return text + " COMMAND [OPTION...]";
  if (std::any_of(command.options.begin(), command.options.end(),
                  [](const OptionRow& option) { return !option.positional; })) {
    text += " [OPTION...]";
  }
  for (const OptionRow& option : command.options) {
    if (option.positional)
      text +=
          option.required ? " " + option.names.front() : fmt::format(" [{}]", option.names.front());
  }
  for (const std::string_view runs : {"test", "record", "inject"}) {
    if (command.name == runs) text += " -- WORKLOAD [ARG...]";
  }
  return text;
}

std::string grouped_options(const CommandRow& command) {
  std::string text, group;
  for (const OptionRow& option : command.options) {
    if (option.group != group) {
      group = option.group;
      text += fmt::format("\n{}:\n", group);
    }
    text += entry(shown_name(option), meaning_of(option));
  }
  return text;
}

size_t lines_of(std::string_view text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// "a, b or c"; of a list, or with OTHERS, "a, b, c".
std::string words_text(const OptionFacts& facts) {
  std::string text;
  for (size_t i = 0; i < facts.words.size(); ++i) {
    const bool is_last = i + 1 == facts.words.size() && !facts.is_list && facts.others.empty();
    if (i > 0) text += is_last ? " or " : ", ";
    text += facts.words[i].word;
    if (!facts.words[i].meaning.empty()) text += fmt::format(" ({})", facts.words[i].meaning);
  }
  return facts.others.empty() ? text : fmt::format("{}, {}", text, facts.others);
}

}  // namespace

std::string meaning_of(const OptionRow& option) {
  const OptionFacts& facts = option.facts;
  std::string text = option.help;
  if (!facts.words.empty()) text += (text.empty() ? "" : ": ") + words_text(facts);
  std::string values;
  if (!facts.fallback.empty()) values = "default: " + facts.fallback;
  if (!facts.zero.empty())
    values += fmt::format("{}0 = {}", values.empty() ? "" : "; ", facts.zero);
  return values.empty() ? text : fmt::format("{} ({})", text, values);
}

std::string program_help(const std::vector<CommandRow>& table, std::string_view introduction,
                         std::string_view footer) {
  std::string text = fmt::format("{}\n", introduction), others;
  for (const CommandRow& command : table) {
    if (command.name.find(' ') != std::string::npos) continue;
    if (std::find(std::begin(kEverydayCommands), std::end(kEverydayCommands), command.name) !=
        std::end(kEverydayCommands)) {
      text += short_entry(command.name, command.help);
    } else {
      others += " " + command.name;
    }
  }
  if (!others.empty()) text += "also:" + others + "\n";
  return text + fmt::format("\neverycrash COMMAND --help tells more.\n{}\n", footer);
}

std::string command_help(const CommandRow& command, bool all) {
  std::string head = fmt::format("{}\n", usage_of(command));
  for (const std::string& line : wrapped(command.help, kScreenColumns)) head += line + "\n";
  const std::string everything = grouped_options(command);
  if (all || lines_of(head + everything) < kScreenLines) {
    return everything.empty() ? head
                              : head + (everything.starts_with('\n') ? "" : "\n") + everything;
  }
  std::string text = head + "\n", others;
  for (const OptionRow& option : command.options) {
    if (is_everyday(option)) {
      text += short_entry(shown_name(option), meaning_of(option));
    } else {
      others += (others.empty() ? "" : " ") + option.names.back();
    }
  }
  for (const std::string& line : wrapped("also: " + others, kScreenColumns - 1))
    text += line + "\n";
  return text + fmt::format("everycrash {} --help-all tells what all of them do.\n", command.name);
}

std::string inner_commands_help(const std::vector<CommandRow>& table, std::string_view command) {
  std::string text;
  for (const CommandRow& row : table) {
    if (row.name.starts_with(fmt::format("{} ", command)))
      text += entry(row.name.substr(command.size() + 1), row.help);
  }
  if (text.empty()) return "";
  return fmt::format("\n{}\neverycrash {} COMMAND --help tells more.\n", text, command);
}

namespace {

/// TEXT for a manual page: no character in it is a command of groff.
std::string roff(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else if ((c == '.' || c == '\'') && (escaped.empty() || escaped.ends_with('\n'))) {
      escaped += "\\&";
      escaped += c;
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string man_of(const CommandRow& command) {
  std::string text = fmt::format(".SS \"{}\"\n{}\n", roff(usage_of(command)), roff(command.help));
  for (const OptionRow& option : command.options) {
    const bool valued = option.takes_value && !option.positional;
    text += fmt::format(".TP\n.B {}{}\n{}", roff(fmt::format("{}", fmt::join(option.names, ", "))),
                        valued ? fmt::format(" \\fI{}\\fR", roff(option.value)) : "",
                        roff(meaning_of(option)));
    if (!option.environment.empty()) text += fmt::format("\n(environment: {})", option.environment);
    text += '\n';
  }
  return text;
}

}  // namespace

std::string man_page(const std::vector<CommandRow>& table, std::string_view introduction,
                     std::string_view footer) {
  std::string text = fmt::format(
      ".TH EVERYCRASH 1 \"\" \"everycrash {}\" \"User Commands\"\n"
      ".SH NAME\neverycrash \\- tests what a crash leaves in files\n"
      ".SH SYNOPSIS\n.B everycrash\n.I COMMAND\n[\\fIOPTION\\fR...] "
      "[\\-\\- \\fIWORKLOAD\\fR [\\fIARG\\fR...]]\n",
      kVersion);
  text += fmt::format(".SH DESCRIPTION\n.nf\n{}.fi\n.SH COMMANDS\n", roff(introduction));
  for (const CommandRow& command : table) text += man_of(command);
  text += fmt::format(".SH EXIT STATUS\n{}\n", roff(footer));
  text +=
      ".SH FILES\n.TP\n.B everycrash.toml\nOptions of this project: keys are the long options, "
      "without dashes. It is looked for here and in the folders above, and used where no "
      "workload is given, or where --config names it; --config none uses none.\n";
  return text +
         ".SH SIGNALS\nSIGUSR1 prints what is running. SIGINT and SIGTERM end a run early; what "
         "was "
         "found so far is reported.\n";
}

}  // namespace everycrash::cli
