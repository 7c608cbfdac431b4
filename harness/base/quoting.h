// Text from outside, made safe for a terminal and for a shell. Pure functions, thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace everycrash {

/// TEXT with every byte that is not part of valid UTF-8 written as \xNN.
[[nodiscard]] std::string valid_utf8(std::string_view text);

/// TEXT on one line, harmless to a terminal: control characters (C0, DEL, C1), the characters that
/// turn the direction of writing, and invalid bytes are written as \n, \t, \xNN or \u{NNNN}.
[[nodiscard]] std::string printable(std::string_view text);

/// One word of a POSIX shell command, quoted only where needed; control characters need bash's
/// $'...'.
[[nodiscard]] std::string shell_quote(std::string_view word);
/// All words, quoted, with spaces between.
[[nodiscard]] std::string shell_quote(const std::vector<std::string>& words);

}  // namespace everycrash
