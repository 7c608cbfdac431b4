#include "harness/cli/scenarios/scenarios.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "harness/base/quoting.h"
#include "harness/cli/options/nearest.h"

namespace everycrash::cli {
namespace {

std::filesystem::path scenarios_folder() {
  if (const char* value = std::getenv("EVERYCRASH_SCENARIOS")) return value;
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  // The build tree has the same folders as an installation.
  return self.parent_path().parent_path() / "libexec" / "everycrash" / "scenarios";
}

/// Standard output of COMMAND, which is one of everycrash's own programs.
Result<std::string> output_of(const std::vector<std::string>& command) {
  const std::string line = shell_quote(command);
  FILE* pipe = popen(line.c_str(), "re");
  if (pipe == nullptr) return harness_error(fmt::format("cannot start {}", line));
  std::string text;
  char buffer[4096];
  for (size_t size = 0; (size = fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    text.append(buffer, size);
  if (pclose(pipe) != 0) return harness_error(fmt::format("{} did not succeed", line));
  return text;
}

Break parse_break(const std::string& line) {
  Break found;
  std::istringstream fields(line);
  std::string kinds;
  std::getline(fields, found.name, '\t');
  std::getline(fields, kinds, '\t');
  std::getline(fields, found.mistake, '\t');
  for (std::string sign; std::getline(fields, sign, '|');) found.signs.push_back(sign);
  std::istringstream words(kinds);
  for (std::string kind; words >> kind;) found.expected.push_back(parse_expectation(kind));
  return found;
}

}  // namespace

std::string text_of(const Expectation& expectation) {
  if (expectation.models.empty()) return expectation.crash;
  return fmt::format("{}:{}", expectation.crash, fmt::join(expectation.models, "+"));
}

Expectation parse_expectation(std::string_view text) {
  const size_t colon = std::min(text.find(':'), text.size());
  Expectation expectation{std::string(text.substr(0, colon)), {}};
  text.remove_prefix(std::min(colon + 1, text.size()));
  while (!text.empty()) {
    const size_t end = std::min(text.find('+'), text.size());
    expectation.models.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return expectation;
}

const Expectation* Break::expected_under(std::string_view crash) const {
  const auto found = std::find_if(expected.begin(), expected.end(),
                                  [&](const Expectation& each) { return each.crash == crash; });
  return found == expected.end() ? nullptr : &*found;
}

Result<std::vector<Scenario>> find_scenarios() {
  const std::filesystem::path folder = scenarios_folder();
  std::vector<Scenario> scenarios;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    const std::filesystem::path file = it->path() / "scenario.toml";
    if (!std::filesystem::exists(file)) continue;
    Result<Scenario> scenario = read_scenario(file);
    if (!scenario) return tl::unexpected(scenario.error());
    scenarios.push_back(std::move(*scenario));
  }
  if (scenarios.empty()) {
    return harness_error(
        fmt::format("no scenarios in {}\nInstall everycrash whole (cmake --install), or "
                    "set EVERYCRASH_SCENARIOS.",
                    folder.string()));
  }
  std::sort(scenarios.begin(), scenarios.end(),
            [](const Scenario& a, const Scenario& b) { return a.name < b.name; });
  return scenarios;
}

Result<Scenario> find_scenario(const std::string& name) {
  Result<std::vector<Scenario>> scenarios = find_scenarios();
  if (!scenarios) return tl::unexpected(scenarios.error());
  std::vector<std::string> names;
  for (Scenario& scenario : *scenarios) {
    if (scenario.name == name) return std::move(scenario);
    names.push_back(scenario.name);
  }
  const std::string near = nearest(name, names);
  return fail(ErrorKind::kUsage, fmt::format("there is no scenario '{}'{}\nThere are: {}", name,
                                             near.empty() ? "" : "; did you mean '" + near + "'?",
                                             fmt::join(names, ", ")));
}

Result<std::vector<Break>> list_breaks(const Scenario& scenario) {
  const Result<std::string> text = output_of(scenario.breaks);
  if (!text) return tl::unexpected(text.error());
  std::vector<Break> breaks;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) breaks.push_back(parse_break(line));
  }
  return breaks;
}

}  // namespace everycrash::cli
