// Text for terminals and files, made safe and made to fit. Pure functions, thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace everycrash::reports {

/// TEXT with every byte that is not part of valid UTF-8 written as \xNN.
[[nodiscard]] std::string valid_utf8(std::string_view text);

/// TEXT on one line, harmless to a terminal: control characters (C0, DEL, C1), the characters that
/// turn the direction of writing, and invalid bytes are written as \n, \t, \xNN or \u{NNNN}.
[[nodiscard]] std::string printable(std::string_view text);

/// As printable(), line by line; a trailing newline gives no empty line.
[[nodiscard]] std::vector<std::string> printable_lines(std::string_view text);

/// TEXT cut to WIDTH characters by replacing its middle with "...".
[[nodiscard]] std::string elide_middle(std::string_view text, size_t width);

/// Number of characters (code points) in valid UTF-8.
[[nodiscard]] size_t length_of(std::string_view text);

/// One word of a POSIX shell command, quoted only where needed; control characters need bash's
/// $'...'.
[[nodiscard]] std::string shell_quote(std::string_view word);
/// All words, quoted, with spaces between.
[[nodiscard]] std::string shell_quote(const std::vector<std::string>& words);

/// RFC 4648, with padding.
[[nodiscard]] std::string base64(std::string_view bytes);

/// "1 state", "3 states", "1,234 states".
[[nodiscard]] std::string counted(uint64_t count, std::string_view singular);
/// "1,234".
[[nodiscard]] std::string grouped(uint64_t count);

}  // namespace everycrash::reports
