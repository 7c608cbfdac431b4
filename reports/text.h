// Text for terminals and files, made safe and made to fit. Pure functions, thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace everycrash::reports {

/// As printable(), line by line; a trailing newline gives no empty line.
[[nodiscard]] std::vector<std::string> printable_lines(std::string_view text);

/// TEXT cut to WIDTH characters by replacing its middle with "...".
[[nodiscard]] std::string elide_middle(std::string_view text, size_t width);

/// Number of characters (code points) in valid UTF-8.
[[nodiscard]] size_t length_of(std::string_view text);

/// RFC 4648, with padding.
[[nodiscard]] std::string base64(std::string_view bytes);

/// "1 state", "3 states", "1,234 states".
[[nodiscard]] std::string counted(uint64_t count, std::string_view singular);
/// "1,234".
[[nodiscard]] std::string grouped(uint64_t count);

}  // namespace everycrash::reports
