#include <fmt/format.h>

#include <string>
#include <vector>

#include "harness/cli/options/command_table.h"

namespace everycrash::cli {
namespace {

/// The words that an option knows, for a shell.
std::string words_of(const OptionRow& option) {
  std::string text;
  for (const OptionWord& known : option.facts.words) text += (text.empty() ? "" : " ") + known.word;
  return text;
}

/// What zsh completes a value by.
std::string zsh_action(const OptionRow& option) {
  const std::string words = words_of(option);
  if (!words.empty()) return "(" + words + ")";
  if (option.facts.takes == OptionTakes::kFile) return "_files";
  return option.facts.takes == OptionTakes::kFolder ? "_files -/" : " ";
}

/// How fish completes the value of an option.
std::string fish_action(const OptionRow& option) {
  const std::string words = words_of(option);
  if (!words.empty()) return fmt::format(" -x -a '{}'", words);
  if (option.facts.takes == OptionTakes::kFile) return " -r";
  return option.facts.takes == OptionTakes::kFolder ? " -x -a '(__fish_complete_directories)'"
                                                    : " -x";
}

/// Everything that can follow a command: its options, and the words of its arguments.
std::string option_words(const CommandRow& command) {
  std::string words;
  for (const OptionRow& option : command.options) {
    if (option.positional) {
      const std::string values = words_of(option);
      words += (words.empty() || values.empty() ? "" : " ") + values;
      continue;
    }
    for (const std::string& name : option.names) words += (words.empty() ? "" : " ") + name;
  }
  return words + (words.empty() ? "--help" : " --help");
}

/// The first words of commands, or the second words of those of COMMAND.
std::string command_words(const std::vector<CommandRow>& table, std::string_view command = "") {
  std::string words;
  for (const CommandRow& row : table) {
    std::string_view name = row.name;
    if (command.empty() ? name.find(' ') != std::string_view::npos
                        : !name.starts_with(fmt::format("{} ", command))) {
      continue;
    }
    if (!command.empty()) name.remove_prefix(command.size() + 1);
    words += (words.empty() ? "" : " ") + std::string(name);
  }
  return words;
}

/// The commands that have commands, for a case of a shell: "disk|scenario".
std::string outer_commands(const std::vector<CommandRow>& table) {
  std::string words;
  for (const CommandRow& row : table) {
    if (row.has_commands) words += (words.empty() ? "" : "|") + row.name;
  }
  return words;
}

std::string bash_script(const std::vector<CommandRow>& table) {
  std::string cases, values;
  for (const CommandRow& command : table) {
    const std::string inner = command_words(table, command.name);
    cases += fmt::format("    '{}') words='{}' ;;\n", command.name,
                         inner.empty() ? option_words(command) : inner + " --help");
    for (const OptionRow& option : command.options) {
      const std::string words = words_of(option);
      if (words.empty() || option.positional) continue;
      values +=
          fmt::format("    '{} {}') words='{}' ;;\n", command.name, option.names.back(), words);
    }
  }
  return fmt::format(R"(# bash completion for everycrash: source it, or put it into
# ~/.local/share/bash-completion/completions/everycrash
_everycrash() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} words= i
  local command= inner=
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${{COMP_WORDS[i]}} in
      --) COMPREPLY=($(compgen -f -- "$current")); return ;;
      -*) ;;
      *) if [ -z "$command" ]; then command=${{COMP_WORDS[i]}}
         elif [ -z "$inner" ]; then inner=${{COMP_WORDS[i]}}; fi ;;
    esac
  done
  if [ -z "$command" ]; then
    COMPREPLY=($(compgen -W '{0} help --help --version' -- "$current")); return
  fi
  case $command in
    {2}) [ -n "$inner" ] && command="$command $inner" ;;
  esac
  case "$command $previous" in
{1}  esac
  if [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$current")); return
  fi
  case $command in
    help) words='{0}' ;;
{3}  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ ${{#COMPREPLY[@]}} -gt 0 ] || COMPREPLY=($(compgen -f -- "$current"))
}}
complete -o filenames -F _everycrash everycrash
)",
                     command_words(table), values, outer_commands(table), cases);
}

/// TEXT between single quotes of zsh and fish.
std::string quoted(std::string_view text, bool backslash) {
  std::string escaped = "'";
  for (const char c : text) {
    if (c == '\'') {
      escaped += backslash ? "\\'" : "'\\''";
    } else {
      escaped += c;
    }
  }
  return escaped + "'";
}

/// TEXT inside a specification of _arguments, where brackets and colons mean something.
std::string zsh_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string zsh_arguments(const CommandRow& command) {
  std::string text;
  for (const OptionRow& option : command.options) {
    const std::string what = zsh_action(option);
    if (option.positional) {
      text += fmt::format(" \\\n        {}",
                          quoted(fmt::format("*:{}:{}", option.names.front(), what), false));
      continue;
    }
    for (const std::string& name : option.names) {
      const std::string value = option.takes_value ? fmt::format(":value:{}", what) : std::string();
      text += fmt::format(
          " \\\n        {}",
          quoted(fmt::format("*{}[{}]{}", name, zsh_text(meaning_of(option)), value), false));
    }
  }
  return text;
}

std::string zsh_script(const std::vector<CommandRow>& table) {
  std::string commands, cases;
  for (const CommandRow& command : table) {
    if (command.name.find(' ') == std::string::npos)
      commands +=
          fmt::format("    {}\n", quoted(fmt::format("{}:{}", command.name, command.help), false));
    const std::string inner = command_words(table, command.name);
    if (!inner.empty()) {
      cases += fmt::format("    '{}') compadd {} ;;\n", command.name, inner);
    } else {
      cases += fmt::format("    '{}')\n      _arguments '*--help[tells all options]'{} ;;\n",
                           command.name, zsh_arguments(command));
    }
  }
  return fmt::format(R"(#compdef everycrash
# zsh completion for everycrash: put it into a folder of $fpath as _everycrash.
_everycrash() {{
  local -a commands
  commands=(
{}  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local dashes=${{words[(I)--]}}
  if ((dashes > 0 && dashes < CURRENT)); then
    _files
    return
  fi
  local command=$words[2]
  case $command in
    {})
      if ((CURRENT > 3)); then
        command="$command $words[3]"
        words[2,3]=("$command")
        ((CURRENT--))
      fi ;;
  esac
  shift words
  ((CURRENT--))
  case $command in
{}  esac
}}
if [ "$funcstack[1]" = _everycrash ]; then
  _everycrash "$@"
else
  compdef _everycrash everycrash
fi
)",
                     commands, outer_commands(table), cases);
}

std::string fish_script(const std::vector<CommandRow>& table) {
  std::string text =
      "# fish completion for everycrash: put it into ~/.config/fish/completions/everycrash.fish\n"
      "function __everycrash_before_dashes\n"
      "    not contains -- -- (commandline -opc)\nend\n";
  for (const CommandRow& command : table) {
    const size_t blank = command.name.find(' ');
    const std::string first = command.name.substr(0, blank);
    if (blank == std::string::npos) {
      text += fmt::format("complete -c everycrash -n __fish_use_subcommand -f -a {} -d {}\n", first,
                          quoted(command.help, true));
    } else {
      text +=
          fmt::format("complete -c everycrash -n '__fish_seen_subcommand_from {}' -f -a {} -d {}\n",
                      first, command.name.substr(blank + 1), quoted(command.help, true));
    }
    const std::string seen =
        fmt::format("'__everycrash_before_dashes; and __fish_seen_subcommand_from {}'",
                    blank == std::string::npos ? first : command.name.substr(blank + 1));
    for (const OptionRow& option : command.options) {
      if (option.positional) {
        if (const std::string words = words_of(option); !words.empty())
          text += fmt::format("complete -c everycrash -n {} -f -a '{}'\n", seen, words);
        continue;
      }
      text += fmt::format("complete -c everycrash -n {}", seen);
      for (const std::string& name : option.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (option.takes_value) text += fish_action(option);
      text += fmt::format(" -d {}\n", quoted(meaning_of(option), true));
    }
  }
  return text;
}

}  // namespace

std::string completion_script(const std::vector<CommandRow>& table, std::string_view shell) {
  if (shell == "bash") return bash_script(table);
  return shell == "zsh" ? zsh_script(table) : fish_script(table);
}

}  // namespace everycrash::cli
