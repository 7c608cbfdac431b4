// The run as Markdown: for a pull request, a wiki, or the summary of a CI job.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "reports/result.h"

namespace everycrash::reports {

struct MarkdownOptions {
  std::string root;                ///< files are shown relative to it
  size_t findings_max = SIZE_MAX;  ///< more are only counted
  size_t bytes_max = SIZE_MAX;     ///< a longer text is cut, and says so
};

/// Verdict, a table of findings, each finding's story, coverage, what was not measured. Text from
/// the workload is escaped: it can make no link, image, HTML, table cell or mention. Equal input,
/// equal bytes. Pure, thread-safe.
[[nodiscard]] std::string markdown_report(const ResultDocument& document,
                                          const MarkdownOptions& options);

/// TEXT on one line, with everything escaped that means something in Markdown.
[[nodiscard]] std::string markdown_text(std::string_view text);

/// TEXT as code on one line: what is in it means nothing.
[[nodiscard]] std::string markdown_code(std::string_view text);

}  // namespace everycrash::reports
