// The only file that includes toml++. It throws; here its errors become values.
#include "harness/cli/options/config.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <functional>
#include <limits>
#include <map>

#include "harness/check/run/command.h"
#include "harness/cli/options/nearest.h"
#include "harness/cli/scenarios/scenarios.h"

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

/// Takes a value over; what is wrong with it otherwise, "" = nothing.
using Setter = std::function<std::string(const toml::node&)>;

constexpr const char* kWrongType = "has a value of the wrong type";

Setter text(std::string& value) {
  return [&value](const toml::node& node) -> std::string {
    if (const auto* word = node.as_string()) return value = word->get(), "";
    return kWrongType;
  };
}

Setter path(std::filesystem::path& value, const std::filesystem::path& base) {
  return [&value, base](const toml::node& node) -> std::string {
    if (const auto* word = node.as_string()) return value = base / word->get(), "";
    return kWrongType;
  };
}

Setter flag(bool& value) {
  return [&value](const toml::node& node) -> std::string {
    if (const auto* truth = node.as_boolean()) return value = truth->get(), "";
    return kWrongType;
  };
}

template <typename Number>
Setter number(Number& value, uint64_t least = 0,
              uint64_t most = std::numeric_limits<Number>::max()) {
  return [&value, least, most](const toml::node& node) -> std::string {
    const auto* given = node.as_integer();
    if (given == nullptr || given->get() < 0) return kWrongType;
    const auto wanted = static_cast<uint64_t>(given->get());
    if (wanted < least || wanted > most) return fmt::format("must be {} to {}", least, most);
    value = static_cast<Number>(wanted);
    return "";
  };
}

/// One of two numbers.
template <typename Number>
Setter either(Number& value, Number one, Number other) {
  return [&value, one, other](const toml::node& node) -> std::string {
    Number wanted = 0;
    if (const std::string wrong = number(wanted)(node); !wrong.empty()) return wrong;
    if (wanted != one && wanted != other) return fmt::format("must be {} or {}", one, other);
    value = wanted;
    return "";
  };
}

Setter list(std::vector<std::string>& value) {
  return [&value](const toml::node& node) -> std::string {
    std::vector<std::string> words;
    if (const auto* word = node.as_string()) words.push_back(word->get());
    if (const auto* many = node.as_array()) {
      for (const toml::node& each : *many) {
        const auto* word = each.as_string();
        if (word == nullptr) return kWrongType;
        words.push_back(word->get());
      }
    }
    if (words.empty()) return kWrongType;
    value = words;
    return "";
  };
}

/// A list is an argument vector; a text is split, or run by a shell where it needs one.
Setter workload(TestOptions& options, const std::filesystem::path& base) {
  return [&options, base](const toml::node& node) -> std::string {
    if (const auto* word = node.as_string()) {
      options.workload = parse_command(word->get(), base).argv;
      return options.workload.empty() ? kWrongType : "";
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
      {"lose-fsync", list(options.lose_fsync)},
      {"lost-fsync", text(options.lost_fsync)},
      {"concurrent", flag(options.concurrent)},
      {"preemptions", either(options.preemptions, 1U, 2U)},
      {"budget", text(options.budget)},
      {"max-states", number(options.states_max)},
      {"seed", number(options.seed)},
      {"depth", number(options.depth)},
      {"again-depth", number(options.again_depth)},
      {"tear", either(options.tear, 4096U, 512U)},
      {"jobs", number(options.jobs)},
      {"all-points", flag(options.all_points)},
      {"live", flag(options.live)},
      {"strict", flag(options.strict)},
      {"require-complete", flag(options.require_complete)},
      {"fail-fast", flag(options.fail_fast)},
      {"on", list(options.on)},
      {"schedules", number(options.schedules)},
      {"images", number(options.images)},
      {"on-disk", flag(options.on_disk)},
      {"keep", path(options.keep, base)},
      {"disk-size", number(options.disk.size_mb, kDiskSizeLeastMb, kDiskSizeMostMb)},
      {"mkfs", text(options.disk.mkfs_arguments)},
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

constexpr KeptOut kKeptOut[] = {
    {"config", "it says which file is read"},
    {"shard", "each machine explores a part of its own"},
    {"expect", "it turns the verdict of one run round"},
    {"color", "it belongs to the terminal"},
    {"quiet", "how much is told is for who starts the run"},
    {"verbose", "how much is told is for who starts the run"},
};

/// Why NAME is no key.
std::string unknown(const std::string& name, const std::vector<std::string>& names) {
  for (const KeptOut& option : kKeptOut) {
    if (name != option.name) continue;
    return fmt::format("'{0}' is no key: {1}; give it as --{0}", name, option.why);
  }
  const std::string near = nearest(name, names);
  return fmt::format("unknown key '{}'{}", name,
                     near.empty() ? "" : "; did you mean '" + near + "'?");
}

tl::unexpected<Error> wrong(const std::filesystem::path& file, const toml::source_region& where,
                            const std::string& why) {
  return fail(ErrorKind::kUsage, fmt::format("{}:{}: {}", file.string(), where.begin.line, why));
}

std::vector<std::string> names_of(const std::map<std::string, Setter>& known) {
  std::vector<std::string> names;
  for (const auto& entry : known) names.push_back(entry.first);
  return names;
}

}  // namespace

std::vector<std::string> config_keys() {
  TestOptions unused;
  return names_of(setters(unused, ""));
}

std::span<const KeptOut> options_kept_out() {
  return kKeptOut;
}

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
  try {
    const toml::table table = toml::parse_file(found.string());
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      const auto setter = known.find(name);
      if (setter == known.end()) return wrong(found, key.source(), unknown(name, names_of(known)));
      if (const std::string why = setter->second(node); !why.empty())
        return wrong(found, node.source(), fmt::format("'{}' {}", name, why));
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
  return [&file, &all](const toml::node& node) -> std::string {
    if (!node.is_array_of_tables()) return kWrongType;
    for (const toml::node& each : *node.as_array()) {
      Trial trial;
      const std::map<std::string, Setter> known = {{"crash", text(trial.crash)},
                                                   {"options", list(trial.options)},
                                                   {"init", list(trial.init)},
                                                   {"more", list(trial.more)}};
      for (const auto& [key, value] : *each.as_table()) {
        const auto setter = known.find(std::string(key.str()));
        if (setter == known.end() || !setter->second(value).empty()) return kWrongType;
      }
      find_beside(file, trial.init);
      all.push_back(std::move(trial));
    }
    return "";
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
      const std::string why = setter == known.end() ? "" : setter->second(node);
      if (!why.empty()) return wrong(file, node.source(), fmt::format("'{}' {}", key.str(), why));
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
