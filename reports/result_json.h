// The result document as a JSON file, schema "everycrash-result/1".
//
// Equal documents give equal bytes: members come in one fixed order, and nothing is added (no
// clock, no host). The seed is text, since JavaScript cannot hold every 64-bit number. Bytes that
// are no UTF-8 are written as the four characters \xNN. All calls are thread-safe.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "harness/base/error.h"
#include "reports/result.h"

namespace everycrash::reports {

enum class Layout : uint8_t {
  kLines,    ///< a member a line, as people want to read it
  kCompact,  ///< one line
};

/// The file's content, ending in a newline. A member that has its default value is left out where
/// there are many (operations, frames).
[[nodiscard]] std::string to_json(const ResultDocument& document, Layout layout = Layout::kLines);

/// Reads TEXT and checks all of it: types, ranges, and that every index points somewhere. NAME is
/// the file's name for messages. Fails with kHarness for text that is no JSON (damaged, cut short),
/// that is something else than a result, or that a newer everycrash wrote. Unknown members are
/// ignored.
[[nodiscard]] Result<ResultDocument> parse_document(std::string_view text, std::string_view name);

/// Writes FILE whole or not at all (a temporary file beside it, then a rename). Fails with kHarness
/// where that is not possible.
[[nodiscard]] Status write_document(const ResultDocument& document,
                                    const std::filesystem::path& file);

/// The same with any TEXT; WHAT names it in messages: "the report".
[[nodiscard]] Status write_whole(std::string_view text, const std::filesystem::path& file,
                                 std::string_view what = "the report");

/// As parse_document(). A file that cannot be read is kUsage: somebody named the wrong one.
[[nodiscard]] Result<ResultDocument> read_document(const std::filesystem::path& file);

}  // namespace everycrash::reports
