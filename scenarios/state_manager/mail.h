// A mail, and the lines in which one is asked for, answered and told of.
//
// Job and receiver talk over a Unix socket pair: one message a request (`effect mail STEP KEY\n`)
// and one a reply. The same lines tell what was accepted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scenarios::state_manager {

inline constexpr size_t kMaxMailBytes = 512;
inline constexpr std::string_view kMailAccepted = "accepted";
inline constexpr std::string_view kMailRepeated = "repeated";
inline constexpr std::string_view kMailRefused = "refused";

/// `key` is what the receiver deduplicates by; empty = not at all.
struct Mail {
  std::string step;
  std::string key;
};

/// The step is what must happen once; the key behind it is for the next receiver.
[[nodiscard]] std::string subject(const Mail& mail);
/// `effect mail STEP KEY`; the inverse of the next.
[[nodiscard]] std::string effect_line(const Mail& mail);
/// The mails in a file of such lines; other lines, and a last one without its end, are skipped.
[[nodiscard]] std::vector<Mail> parse_effects(std::string_view text);

}  // namespace scenarios::state_manager
