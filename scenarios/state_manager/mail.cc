#include "scenarios/state_manager/mail.h"

namespace scenarios::state_manager {
namespace {

constexpr std::string_view kLineStart = "effect mail ";

}  // namespace

std::string subject(const Mail& mail) {
  return mail.key.empty() ? mail.step : mail.step + " " + mail.key;
}

std::string effect_line(const Mail& mail) {
  return std::string(kLineStart) + subject(mail);
}

std::vector<Mail> parse_effects(std::string_view text) {
  std::vector<Mail> mails;
  for (size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (!line.starts_with(kLineStart)) continue;
    line.remove_prefix(kLineStart.size());
    const size_t blank = line.find(' ');
    const std::string_view key =
        blank == std::string_view::npos ? std::string_view() : line.substr(blank + 1);
    mails.push_back({std::string(line.substr(0, blank)), std::string(key)});
  }
  return mails;
}

}  // namespace scenarios::state_manager
