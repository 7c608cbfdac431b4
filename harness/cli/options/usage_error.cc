#include "harness/cli/options/usage_error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/cli/options/nearest.h"
#include "harness/cli/options/option_adder.h"

namespace everycrash::cli {
namespace {

/// Options of one command as CLI11 knows them, those of its groups included.
std::vector<const CLI::Option*> options_of(const CLI::App& app) {
  std::vector<const CLI::Option*> options = app.get_options();
  for (const CLI::App* group :
       app.get_subcommands([](const CLI::App* sub) { return sub->get_name().empty(); })) {
    for (const CLI::Option* option : options_of(*group)) options.push_back(option);
  }
  return options;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options_of(app)) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command :
       app.get_subcommands([](const CLI::App* sub) { return !sub->get_name().empty(); })) {
    names.push_back(command->get_name());
  }
  return names;
}

/// The commands that were chosen, the outermost first: "scenario", "run".
std::vector<const CLI::App*> chosen_commands(const CLI::App& app) {
  std::vector<const CLI::App*> chosen;
  const CLI::App* at = &app;
  while (at != nullptr) {
    const auto inner = at->get_subcommands();
    const auto named = std::find_if(inner.begin(), inner.end(),
                                    [](const CLI::App* sub) { return !sub->get_name().empty(); });
    at = named == inner.end() ? nullptr : *named;
    if (at != nullptr) chosen.push_back(at);
  }
  return chosen;
}

/// " scenario run".
std::string words_of(const std::vector<const CLI::App*>& commands) {
  std::string words;
  for (const CLI::App* each : commands) words += " " + each->get_name();
  return words;
}

/// The option of APP that the text of an error begins with, up to END; null if there is none.
const CLI::Option* option_before(const CLI::App& app, const std::string& text,
                                 const std::string& end) {
  const std::string name = text.substr(0, text.find(end));
  for (const CLI::Option* option : options_of(app)) {
    if (option->get_name() == name) return option;
  }
  return nullptr;
}

/// What APP asks for and was not given.
std::string missing_text(const CLI::App& app, const std::string& command, const std::string& said) {
  const std::vector<std::string> commands = command_names(app);
  const CLI::Option* const option = option_before(app, said, " is required");
  if (option != nullptr) {
    const std::string value = option->get_lnames().empty() ? "" : " " + value_of(*option);
    return fmt::format("{}{} is missing: {}", option->get_name(), value, option->get_description());
  }
  if (commands.empty()) return said;
  if (command.empty()) return "no command is given";
  return fmt::format("'everycrash{}' is half a command\nThere are:{} {}", command, command,
                     fmt::join(commands, fmt::format(",{} ", command)));
}

/// What was given and has no place in APP.
std::string surplus_text(const CLI::App& app, const std::string& command, const std::string& said) {
  const std::vector<std::string> known = option_names(app);
  const bool runs = std::find(known.begin(), known.end(), "--init") != known.end();
  const std::string surplus = said.substr(said.find(": ") + 2);
  const bool takes_other = command == " explore" || command == " scenario run";
  return runs && !takes_other
             ? fmt::format("what is '{}'? The workload is written behind --: everycrash{} -- {}",
                           surplus, command, surplus)
             : fmt::format("there is no place for '{}'", surplus);
}

/// The text of ERROR, about COMMAND, " scenario run", which is APP.
std::string text_of(const CLI::App& app, const std::string& command, const CLI::ParseError& error) {
  const std::string said = error.what();
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
    return missing_text(app, command, said);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
    return surplus_text(app, command, said);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && said.ends_with(" missing")) {
    if (const CLI::Option* const option = option_before(app, said, ": "))
      return fmt::format("{} is given without its {}", option->get_name(), value_of(*option));
  }
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) {
    const size_t middle = said.find(" excludes ");
    return fmt::format("{} and {} contradict each other", said.substr(0, middle),
                       said.substr(middle + std::string(" excludes ").size()));
  }
  return said;
}

}  // namespace

std::string unknown_command(const CLI::App& app, const std::vector<std::string>& arguments) {
  const std::vector<const CLI::App*> chosen = chosen_commands(app);
  const std::vector<std::string> commands = command_names(chosen.empty() ? app : *chosen.back());
  const bool is_missing = chosen.size() < arguments.size() && !commands.empty();
  if (!is_missing || arguments[chosen.size()].starts_with('-')) return "";
  const std::string& word = arguments[chosen.size()];
  const std::string near = nearest(word, commands);
  return fmt::format("there is no command{} {}{}", words_of(chosen), word,
                     near.empty() ? "" : fmt::format("; did you mean {}?", near));
}

tl::unexpected<Error> usage_error(const CLI::App& app, const CLI::ParseError& error,
                                  const std::vector<std::string>& arguments) {
  const std::vector<const CLI::App*> chosen = chosen_commands(app);
  const std::string command = words_of(chosen);
  const CLI::App& last = chosen.empty() ? app : *chosen.back();
  std::string message = unknown_command(app, arguments);
  if (message.empty()) message = text_of(last, command, error);
  const std::vector<std::string> known =
      chosen.empty() ? std::vector<std::string>{} : option_names(last);
  for (const std::string& argument : arguments) {
    const std::string name = argument.substr(0, argument.find('='));
    if (!name.starts_with("--") || name == "--help" ||
        std::find(known.begin(), known.end(), name) != known.end())
      continue;
    if (const std::string near = nearest(name, known); !near.empty()) {
      message = fmt::format("there is no option {}; did you mean {}?", name, near);
    } else {
      message = fmt::format("there is no option {}", name);
    }
    break;
  }
  return fail(ErrorKind::kUsage, fmt::format("{}\nSee 'everycrash{} --help'.", message, command));
}

}  // namespace everycrash::cli
