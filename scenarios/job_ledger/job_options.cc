#include "scenarios/job_ledger/job_options.h"

#include <charconv>
#include <chrono>

namespace scenarios::job_ledger {
namespace {

constexpr int kMaxDays = 1000;
constexpr int kMaxLimitS = 3600;
constexpr int64_t kMaxOffsetS = int64_t{10} * 365 * 24 * 3600;

template <typename Number>
Outcome parse_number(const std::string& option, const std::string& text, Number least, Number most,
                     Number& value) {
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error == std::errc() && end == last && value >= least && value <= most) return {};
  return failed(option + " takes a number from " + std::to_string(least) + " to " +
                std::to_string(most) + ", not '" + text + "'");
}

Outcome set_option(const std::string& option, const std::string& value, JobOptions& options) {
  if (option == "--days") return parse_number(option, value, 1, kMaxDays, options.days);
  if (option == "--limit") {
    return parse_number(option, value, 1, kMaxLimitS, options.restart_limit_s);
  }
  if (option == "--clock-offset") {
    return parse_number(option, value, -kMaxOffsetS, kMaxOffsetS, options.clock_offset_s);
  }
  if (option == "--break") {
    return parse_break(value).map([&](Break mistake) { options.mistake = mistake; });
  }
  return failed("unknown option '" + option + "'; `job_ledger --help` lists them");
}

}  // namespace

int64_t now_ms(const JobOptions& options) {
  using std::chrono::milliseconds;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<milliseconds>(now).count() + options.clock_offset_s * 1000;
}

Expected<JobOptions> parse_job_options(std::span<const std::string> arguments) {
  JobOptions options;
  for (size_t i = 0; i < arguments.size(); i += 2) {
    if (i + 1 == arguments.size()) return failed("option '" + arguments[i] + "' needs a value");
    if (const Outcome set = set_option(arguments[i], arguments[i + 1], options); !set) {
      return tl::unexpected(set.error());
    }
  }
  return options;
}

std::vector<std::string> to_arguments(const JobOptions& options) {
  std::vector<std::string> arguments = {"--days", std::to_string(options.days), "--clock-offset",
                                        std::to_string(options.clock_offset_s)};
  if (options.mistake != Break::kNone) {
    arguments.insert(arguments.end(), {"--break", std::string(break_name(options.mistake))});
  }
  return arguments;
}

}  // namespace scenarios::job_ledger
