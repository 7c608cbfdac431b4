#include "reports/text.h"

#include <fmt/format.h>

#include "harness/base/quoting.h"

namespace everycrash::reports {
namespace {

/// Byte position of the character number COUNT.
size_t position_of(std::string_view text, size_t count) {
  size_t at = 0;
  for (; at < text.size(); ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0xc0) != 0x80 && count-- == 0) break;
  }
  return at;
}

}  // namespace

std::vector<std::string> printable_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.push_back(printable(text.substr(0, end)));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

size_t length_of(std::string_view text) {
  size_t length = 0;
  for (const char c : text) length += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  return length;
}

std::string elide_middle(std::string_view text, size_t width) {
  const size_t length = length_of(text);
  if (length <= width) return std::string(text);
  if (width <= 3) return std::string(width, '.');
  const size_t head = (width - 3 + 1) / 2;
  const size_t tail = width - 3 - head;
  return fmt::format("{}...{}", text.substr(0, position_of(text, head)),
                     text.substr(position_of(text, length - tail)));
}

std::string grouped(uint64_t count) {
  std::string digits = std::to_string(count);
  for (size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

std::string counted(uint64_t count, std::string_view singular) {
  const bool hisses = singular.ends_with('s') || singular.ends_with('x') ||
                      singular.ends_with("ch") || singular.ends_with("sh");
  return fmt::format("{} {}{}", grouped(count), singular, count == 1 ? "" : hisses ? "es" : "s");
}

std::string base64(std::string_view bytes) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t at = 0; at < bytes.size(); at += 3) {
    uint32_t group = 0;
    for (size_t i = 0; i < 3; ++i) {
      group = group << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    }
    for (size_t i = 0; i < 4; ++i) {
      text += at + i > bytes.size() ? '=' : kDigits[group >> (18 - 6 * i) & 0x3f];
    }
  }
  return text;
}

}  // namespace everycrash::reports
