#include "harness/base/quoting.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace everycrash {
namespace {

struct Character {
  uint32_t code = 0;
  size_t bytes = 0;
};

/// The character at the start of TEXT, which is not empty; nothing for an invalid byte (overlong
/// forms, surrogates and numbers above U+10FFFF are invalid too).
std::optional<Character> decode(std::string_view text) {
  const auto byte = [&](size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return Character{first, 1};
  const size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return std::nullopt;
  uint32_t code = first & (0xffu >> (bytes + 1));
  for (size_t at = 1; at < bytes; ++at) {
    if ((byte(at) & 0xc0) != 0x80) return std::nullopt;
    code = code << 6 | (byte(at) & 0x3fu);
  }
  const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  if (overlong || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return std::nullopt;
  return Character{code, bytes};
}

/// Bidirectional controls can make a line read differently from what it says.
bool turns_direction(uint32_t code) {
  return code == 0x061c || code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

std::string escaped(uint32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\r') return "\\r";
  if (code == '\t') return "\\t";
  if (code < 0x80) return fmt::format("\\x{:02x}", code);
  return fmt::format("\\u{{{:x}}}", code);
}

bool is_control(uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029 ||
         turns_direction(code);
}

std::string escape(std::string_view text, bool controls) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::optional<Character> character = decode(text);
    if (!character) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
      text.remove_prefix(1);
      continue;
    }
    if (controls && is_control(character->code)) {
      out += escaped(character->code);
    } else {
      out += text.substr(0, character->bytes);
    }
    text.remove_prefix(character->bytes);
  }
  return out;
}

}  // namespace

std::string valid_utf8(std::string_view text) {
  return escape(text, false);
}

std::string printable(std::string_view text) {
  return escape(text, true);
}

std::string shell_quote(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%^";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) {
    return std::string(word);
  }
  const bool needs_bash = printable(word) != word;
  std::string out = needs_bash ? "$'" : "'";
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    if (!needs_bash) {
      out += c == '\'' ? "'\\''" : std::string(1, c);
    } else if (c == '\'' || c == '\\') {
      out += fmt::format("\\{}", c);
    } else if (c == '\n' || c == '\r' || c == '\t') {
      out += printable(std::string_view(&c, 1));
    } else if (byte < 0x20 || byte >= 0x7f) {
      // Three octal digits: unlike \xNN they cannot swallow a digit that follows.
      out += fmt::format("\\{:03o}", byte);
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string shell_quote(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) {
    if (!out.empty()) out += ' ';
    out += shell_quote(word);
  }
  return out;
}

}  // namespace everycrash
