// The only file that includes toml++. It throws; here its errors become values.
#include "harness/cli/config.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <functional>
#include <map>

#include "harness/check/command.h"
#include "harness/cli/nearest.h"
#include "harness/cli/scenarios.h"

namespace everycrash::cli {
namespace {

constexpr const char* kName = "everycrash.toml";

std::filesystem::path find_upward() {
  for (std::filesystem::path folder = std::filesystem::current_path();;
       folder = folder.parent_path()) {
    if (std::filesystem::exists(folder / kName)) return folder / kName;
    if (folder == folder.root_path()) return {};
  }
}

using Setter = std::function<bool(const toml::node&)>;

Setter text(std::string& value) {
  return [&value](const toml::node& node) {
    if (const auto* word = node.as_string()) return value = word->get(), true;
    return false;
  };
}

Setter path(std::filesystem::path& value, const std::filesystem::path& base) {
  return [&value, base](const toml::node& node) {
    if (const auto* word = node.as_string()) return value = base / word->get(), true;
    return false;
  };
}

Setter flag(bool& value) {
  return [&value](const toml::node& node) {
    if (const auto* truth = node.as_boolean()) return value = truth->get(), true;
    return false;
  };
}

template <typename Number>
Setter number(Number& value) {
  return [&value](const toml::node& node) {
    const auto* given = node.as_integer();
    if (given == nullptr || given->get() < 0) return false;
    value = static_cast<Number>(given->get());
    return true;
  };
}

Setter list(std::vector<std::string>& value) {
  return [&value](const toml::node& node) {
    std::vector<std::string> words;
    if (const auto* word = node.as_string()) words.push_back(word->get());
    if (const auto* many = node.as_array()) {
      for (const toml::node& each : *many) {
        const auto* word = each.as_string();
        if (word == nullptr) return false;
        words.push_back(word->get());
      }
    }
    if (words.empty()) return false;
    value = words;
    return true;
  };
}

/// A list is an argument vector; a text is split, or run by a shell where it needs one.
Setter workload(TestOptions& options, const std::filesystem::path& base) {
  return [&options, base](const toml::node& node) {
    if (const auto* word = node.as_string()) {
      options.workload = parse_command(word->get(), base).argv;
      return !options.workload.empty();
    }
    return list(options.workload)(node);
  };
}

std::map<std::string, Setter> setters(TestOptions& options, const std::filesystem::path& base) {
  return {
      {"workload", workload(options, base)},
      {"init", text(options.init)},
      {"check", text(options.check)},
      {"check-server", flag(options.check_server)},
      {"recover", text(options.recover)},
      {"resume", flag(options.resume)},
      {"oracle", list(options.oracles)},
      {"ack", text(options.acknowledgement)},
      {"ignore", list(options.ignore)},
      {"effect-command", list(options.effects.commands)},
      {"effect-dir", list(options.effects.folders)},
      {"effect-peer", list(options.effects.peers)},
      {"sink", text(options.effects.sink)},
      {"at-least-once", flag(options.effects.at_least_once)},
      {"at-most-once", flag(options.effects.at_most_once)},
      {"crash", list(options.crash)},
      {"fs", list(options.models)},
      {"fault", list(options.faults)},
      {"lost-fsync", text(options.lost_fsync)},
      {"budget", text(options.budget)},
      {"max-states", number(options.states_max)},
      {"seed", number(options.seed)},
      {"depth", number(options.depth)},
      {"tear", number(options.tear)},
      {"jobs", number(options.jobs)},
      {"all-points", flag(options.all_points)},
      {"live", flag(options.live)},
      {"strict", flag(options.strict)},
      {"require-complete", flag(options.require_complete)},
      {"dir", path(options.directory, base)},
      {"timeout", text(options.timeout)},
      {"check-timeout", text(options.check_timeout)},
      {"trace-size", number(options.trace_size_mb)},
      {"no-namespaces", flag(options.plain)},
      {"json", path(options.json, base)},
      {"junit", path(options.junit, base)},
      {"sarif", path(options.sarif, base)},
      {"markdown", path(options.markdown, base)},
      {"baseline", path(options.baseline, base)},
      {"fail-on", list(options.fail_on)},
      {"output", path(options.output, base)},
      {"report", path(options.report, base)},
  };
}

tl::unexpected<Error> wrong(const std::filesystem::path& file, const toml::source_region& where,
                            const std::string& why) {
  return fail(ErrorKind::kUsage, fmt::format("{}:{}: {}", file.string(), where.begin.line, why));
}

}  // namespace

Status read_config(const std::string& file, TestOptions& options) {
  if (file == "none") return {};
  const std::filesystem::path found =
      file.empty() ? find_upward() : std::filesystem::absolute(file);
  if (found.empty()) return {};
  if (!std::filesystem::exists(found)) {
    return fail(ErrorKind::kUsage, fmt::format("there is no file {}", found.string()));
  }
  options.base = found.parent_path();
  const std::map<std::string, Setter> known = setters(options, options.base);
  std::vector<std::string> names;
  for (const auto& entry : known) names.push_back(entry.first);
  try {
    const toml::table table = toml::parse_file(found.string());
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      const auto setter = known.find(name);
      if (setter == known.end()) {
        const std::string near = nearest(name, names);
        return wrong(found, key.source(),
                     fmt::format("unknown key '{}'{}", name,
                                 near.empty() ? "" : "; did you mean '" + near + "'?"));
      }
      if (!setter->second(node)) {
        return wrong(found, node.source(), fmt::format("'{}' has a value of the wrong type", name));
      }
    }
  } catch (const toml::parse_error& error) {
    return wrong(found, error.source(), std::string(error.description()));
  }
  return {};
}

namespace {

/// A program named without a slash lies beside the scenario's file.
void find_beside(const std::filesystem::path& file, std::vector<std::string>& command) {
  if (command.empty() || command.front().find('/') != std::string::npos) return;
  command.front() = (file.parent_path() / command.front()).string();
}

Setter trials(const std::filesystem::path& file, std::vector<Trial>& all) {
  return [&file, &all](const toml::node& node) {
    if (!node.is_array_of_tables()) return false;
    for (const toml::node& each : *node.as_array()) {
      Trial trial;
      const std::map<std::string, Setter> known = {{"crash", text(trial.crash)},
                                                   {"options", list(trial.options)},
                                                   {"init", list(trial.init)},
                                                   {"more", list(trial.more)}};
      for (const auto& [key, value] : *each.as_table()) {
        const auto setter = known.find(std::string(key.str()));
        if (setter == known.end() || !setter->second(value)) return false;
      }
      find_beside(file, trial.init);
      all.push_back(std::move(trial));
    }
    return true;
  };
}

}  // namespace

Result<Scenario> read_scenario(const std::filesystem::path& file) {
  constexpr int64_t kVersion = 1;
  Scenario scenario;
  const std::map<std::string, Setter> known = {
      {"name", text(scenario.name)},         {"summary", text(scenario.summary)},
      {"workload", list(scenario.workload)}, {"check", list(scenario.check)},
      {"breaks", list(scenario.breaks)},     {"quick", list(scenario.quick)},
      {"anew", list(scenario.anew)},         {"break_option", text(scenario.break_option)},
      {"beyond", list(scenario.beyond)},     {"trial", trials(file, scenario.trials)},
  };
  try {
    const toml::table table = toml::parse_file(file.string());
    if (table["version"].value_or(int64_t{0}) != kVersion) {
      return harness_error(
          fmt::format("{}: not a scenario that this everycrash knows", file.string()));
    }
    for (const auto& [key, node] : table) {
      const auto setter = known.find(std::string(key.str()));
      if (setter != known.end() && !setter->second(node)) {
        return wrong(file, node.source(),
                     fmt::format("'{}' has a value of the wrong type", key.str()));
      }
    }
  } catch (const toml::parse_error& error) {
    return wrong(file, error.source(), std::string(error.description()));
  }
  for (std::vector<std::string>* command :
       {&scenario.workload, &scenario.check, &scenario.breaks}) {
    if (command->empty()) return harness_error(fmt::format("{} names no program", file.string()));
    find_beside(file, *command);
  }
  return scenario;
}

}  // namespace everycrash::cli
