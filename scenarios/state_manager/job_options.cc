#include "scenarios/state_manager/job_options.h"

#include <charconv>
#include <limits>

namespace scenarios::state_manager {
namespace {

constexpr int kMaxSteps = 100000;
constexpr int kMaxLimitS = 3600;
constexpr int64_t kMaxStartTimeS = 100000000000;
constexpr int64_t kMaxOffsetS = int64_t{10} * 365 * 24 * 3600;

Outcome parse_number(const std::string& option, const std::string& text, int64_t least,
                     int64_t most, int64_t& value) {
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error == std::errc() && end == last && value >= least && value <= most) return {};
  return failed(option + " takes a number from " + std::to_string(least) + " to " +
                std::to_string(most) + ", not '" + text + "'");
}

Outcome set_option(const std::string& option, const std::string& value, JobOptions& options) {
  int64_t number = 0;
  if (option == "--steps") {
    return parse_number(option, value, 1, kMaxSteps, number).map([&] {
      options.steps = static_cast<int>(number);
    });
  }
  if (option == "--limit") {
    return parse_number(option, value, 1, kMaxLimitS, number).map([&] {
      options.restart_limit_s = static_cast<int>(number);
    });
  }
  if (option == "--seed") {
    return parse_number(option, value, 0, std::numeric_limits<int64_t>::max(), number).map([&] {
      options.work.seed = static_cast<uint64_t>(number);
    });
  }
  if (option == "--clock-offset") {
    return parse_number(option, value, -kMaxOffsetS, kMaxOffsetS, options.clock_offset_s);
  }
  if (option == "--start-time") {
    return parse_number(option, value, 0, kMaxStartTimeS, number).map([&] {
      options.start_time_s = number;
    });
  }
  if (option == "--poison") {
    options.work.poisoned = value;
    return {};
  }
  if (option == "--bad-input") {
    options.work.bad_input = value;
    return {};
  }
  if (option == "--break") {
    return parse_break(value).map([&](Break mistake) { options.mistake = mistake; });
  }
  return failed("unknown option '" + option + "'; `state_manager --help` lists them");
}

}  // namespace

SkipClock make_clock(const JobOptions& options) {
  std::optional<int64_t> start_ms;
  if (options.start_time_s) start_ms = *options.start_time_s * 1000;
  return SkipClock(options.clock_offset_s * 1000, start_ms);
}

Expected<JobOptions> parse_job_options(std::span<const std::string> arguments) {
  JobOptions options;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--mark-calls") {
      options.mark_calls = true;
      continue;
    }
    if (i + 1 == arguments.size()) return failed("option '" + arguments[i] + "' needs a value");
    if (const Outcome set = set_option(arguments[i], arguments[i + 1], options); !set) {
      return tl::unexpected(set.error());
    }
    ++i;
  }
  return options;
}

std::vector<std::string> to_arguments(const JobOptions& options) {
  std::vector<std::string> arguments = {"--steps",        std::to_string(options.steps),
                                        "--seed",         std::to_string(options.work.seed),
                                        "--clock-offset", std::to_string(options.clock_offset_s)};
  const auto add = [&](const char* option, std::string_view value) {
    if (value.empty()) return;
    arguments.emplace_back(option);
    arguments.emplace_back(value);
  };
  add("--poison", options.work.poisoned);
  add("--bad-input", options.work.bad_input);
  if (options.mistake != Break::kNone) add("--break", break_name(options.mistake));
  if (options.start_time_s) add("--start-time", std::to_string(*options.start_time_s));
  if (options.mark_calls) arguments.emplace_back("--mark-calls");
  return arguments;
}

}  // namespace scenarios::state_manager
